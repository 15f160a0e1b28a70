#include "cli/race_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "cli/store_flags.hpp"
#include "cli/values.hpp"

namespace pacenote::cli {
namespace {

constexpr std::string_view kTag = "tag:", kLast = "last:";

std::optional<std::size_t> whole(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

/// Newest first; only those whose figures are whole.
std::vector<RaceRecord> finished_races(const store::Store& store) {
  store::RaceFilter filter;
  filter.limit = std::numeric_limits<std::size_t>::max();
  std::vector<RaceRecord> races = store.races(filter);
  std::erase_if(races, [](const RaceRecord& race) { return race.state != RaceState::finished; });
  return races;
}

/// Tags may be numbers: a person writes 8.1 for both.
bool has_tag(const RaceRecord& race, std::string_view key, std::string_view value) {
  const auto it = race.user_tags.find(std::string(key));
  if (it == race.user_tags.end()) return false;
  return it->is_string() ? it->get<std::string>() == value : to_text(*it) == value;
}

std::vector<RaceRecord> tagged(const store::Store& store, std::string_view spec, std::size_t last) {
  const auto equals = spec.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw UserError(fmt::format("{}{} names no tag", kTag, spec), "write tag:KEY=VALUE", ExitCode::usage);
  std::vector<RaceRecord> races = finished_races(store);
  std::erase_if(races, [&](const RaceRecord& race) {
    return !has_tag(race, spec.substr(0, equals), spec.substr(equals + 1));
  });
  if (last > 0 && races.size() > last) races.resize(last);
  if (races.empty())
    throw UserError(fmt::format("no finished race in the store has the tag {}", spec),
                    "`pacenote list races` shows races with their tags");
  return races;
}

std::vector<RaceRecord> latest(const store::Store& store, std::string_view spec) {
  const auto dash = spec.find('-');
  const auto first =
      dash == std::string_view::npos ? std::optional<std::size_t>(1) : whole(spec.substr(0, dash));
  const auto last = whole(dash == std::string_view::npos ? spec : spec.substr(dash + 1));
  if (!first || !last || *first > *last)
    throw UserError(fmt::format("{}{} is no number of races", kLast, spec), "write last:5 or last:6-10",
                    ExitCode::usage);
  std::vector<RaceRecord> races = finished_races(store);
  if (races.size() < *last)
    throw UserError(fmt::format("{}{}: the store has {} finished race{}", kLast, spec, races.size(),
                                races.size() == 1 ? "" : "s"),
                    "`pacenote list races` shows them");
  races.resize(*last);
  races.erase(races.begin(), races.begin() + static_cast<std::ptrdiff_t>(*first - 1));
  return races;
}

std::vector<RaceRecord> races_of(const store::Store& store, const std::string& part, std::size_t last) {
  if (part.starts_with(kTag)) return tagged(store, std::string_view(part).substr(kTag.size()), last);
  if (part.starts_with(kLast)) return latest(store, std::string_view(part).substr(kLast.size()));
  return {store.race(part)};
}

std::int64_t nanoseconds_of(const Sample& sample, reporters::Times times) {
  switch (times) {
    case reporters::Times::service_time:
      return sample.service_time().count();
    case reporters::Times::processing_time:
      return sample.processing_time().count();
    case reporters::Times::took:
      return sample.took_ms * 1'000'000;
    case reporters::Times::latency:
      break;
  }
  return sample.latency().count();
}

/// Names one race by its id and could mean no other.
bool is_single(const std::string& text) {
  return !text.starts_with(kTag) && !text.starts_with(kLast) && text.find(',') == std::string::npos;
}

}  // namespace

reporters::Group group_from(const store::Store& store, const std::string& text, std::size_t last) {
  reporters::Group group{text, {}};
  for (const std::string& part : comma_list(text)) {
    for (RaceRecord& race : races_of(store, part, last)) {
      const auto same = [&](const reporters::RacedSide& side) { return side.race.id == race.id; };
      if (std::ranges::none_of(group.races, same)) group.races.push_back(read_race(store, race.id));
    }
  }
  if (group.races.empty())
    throw UserError("a group has no race", "name races by id, tag:KEY=VALUE or last:N", ExitCode::usage);
  std::ranges::sort(group.races, {}, [](const reporters::RacedSide& side) { return side.race.started; });
  return group;
}

void check_disjoint(const std::vector<reporters::Group>& groups) {
  std::map<std::string, std::string> seen;
  for (const reporters::Group& group : groups)
    for (const reporters::RacedSide& side : group.races)
      if (const auto [it, fresh] = seen.emplace(side.race.id, group.label); !fresh)
        throw UserError(
            fmt::format("race {} stands in two groups: {} and {}", side.race.id, it->second, group.label),
            "name groups that share no race", ExitCode::usage);
}

void add_group_flags(CLI::App& command, GroupFlags& flags) {
  command
      .add_option("--baseline", flags.baseline,
                  "The race to compare with: its id or the beginning of one. Or a group: ids by comma, "
                  "tag:KEY=VALUE, last:N or last:M-N (newest finished races).")
      ->type_name("RACES");
  command
      .add_option("--contender", flags.contenders,
                  "The race or group that is compared. Given again: each against the baseline.")
      ->type_name("RACES")
      ->take_all();
  command.add_option("--last", flags.last, "Of races with a tag only the newest so many.")
      ->check(CLI::Range(1, 1'000'000'000))
      ->type_name("N");
  command.add_flag("--step", flags.step, "Each contender against the one before, too.")
      ->disable_flag_override();
  command.add_flag("--groups", flags.groups, "Compare as groups even if each is a single race.")
      ->disable_flag_override();
  command
      .add_option(
          "--primary", flags.primary,
          "A metric that carries the verdict, as \"METRIC\" or \"TASKS: METRIC\": throughput, error_rate, "
          "p99 latency, … At most ten in all. Default: throughput, p99 and p50 latency of the first tasks.")
      ->type_name("METRIC")
      ->take_all();
}

bool compares_two(const GroupFlags& flags) {
  const bool two = !flags.groups && flags.contenders.size() == 1 && is_single(flags.baseline) &&
                   is_single(flags.contenders.front());
  for (const auto& [name, given] : {std::pair("--primary", !flags.primary.empty()),
                                    std::pair("--step", flags.step), std::pair("--last", flags.last > 0)})
    if (two && given)
      throw UserError(fmt::format("{} is for groups of races; these are two single ones", name),
                      "add --groups, or leave it out", ExitCode::usage);
  return two;
}

GroupPairs groups_from(const store::Store& store, const GroupFlags& flags) {
  GroupPairs out;
  out.groups.push_back(group_from(store, flags.baseline, flags.last));
  for (const std::string& contender : flags.contenders) {
    out.groups.push_back(group_from(store, contender, flags.last));
    const std::size_t i = out.groups.size() - 1;
    out.pairs.emplace_back(0, i);
    if (flags.step && i > 1) out.pairs.emplace_back(i - 1, i);
  }
  check_disjoint(out.groups);
  return out;
}

Compared compared(const GroupPairs& what, const reporters::GroupsOptions& options,
                  const reporters::SampleTimes& samples) {
  Compared out;
  for (const auto& [from, to] : what.pairs) {
    const reporters::Group& baseline = what.groups[from];
    const reporters::Group& contender = what.groups[to];
    for (std::string& note : reporters::groups_notes(baseline, contender))
      if (std::ranges::find(out.notes, note) == out.notes.end()) out.notes.push_back(std::move(note));
    out.names.push_back(fmt::format("{} : {}", baseline.label, contender.label));
    out.rows.push_back(reporters::compare_groups(baseline, contender, options, samples));
  }
  return out;
}

reporters::Table table_of(const GroupPairs& what, const Compared& found) {
  reporters::Table table = groups_table(found.rows, found.names);
  table.head = reporters::groups_head(what.groups);
  table.notes = found.notes;
  table.notes_first = true;
  return table;
}

reporters::SampleTimes sample_times(const store::Store& store) {
  return [&store](const std::string& race, std::size_t task, reporters::Times times) {
    std::vector<std::int64_t> out;
    Names names;
    store.each_samples(race, TaskIndex{static_cast<std::uint32_t>(task)}, Instant{}, names,
                       [&](std::span<const Sample> samples) {
                         for (const Sample& sample : samples) {
                           const bool counted = sample.type == SampleType::normal &&
                                                (times != reporters::Times::took || sample.took_ms >= 0);
                           if (counted) out.push_back(nanoseconds_of(sample, times));
                         }
                       });
    return out;
  };
}

}  // namespace pacenote::cli
