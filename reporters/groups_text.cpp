// Groups of races as a table and in words.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "core/statistics/permutation.hpp"
#include "core/statistics/power.hpp"
#include "reporters/group_rows.hpp"
#include "reporters/numbers.hpp"
#include "reporters/race_differences.hpp"
#include "reporters/rally.hpp"
#include "reporters/summary.hpp"

namespace pacenote::reporters {
namespace {

Cell optional_cell(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? number(*value) : Cell(Mark{"n/a"});
}

/// Of the size of the baseline; none if that is zero.
std::optional<double> percent_of(double value, double baseline) {
  if (baseline == 0) return std::nullopt;
  return value / std::abs(baseline) * 100;
}

std::string plural(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

constexpr std::size_t kPractical = 50;  // races that somebody may run to settle a question

std::string verdict_text(const GroupRow& row) {
  if (!row.primary) return row.one_sided() ? "(not on both sides)" : "(exploratory)";
  std::string out(to_string(row.verdict));
  if (!row.why.empty()) out += fmt::format(": {}", row.why);
  if (row.more && row.why != "not in all races")
    out += *row.more > kPractical
               ? fmt::format(" (the difference seen is far inside the noise: over {} more races of each)",
                             kPractical)
               : fmt::format(" ({} more race{} of each would show the difference seen)", *row.more,
                             *row.more == 1 ? "" : "s");
  return out;
}

Tone tone_of(const GroupRow& row) {
  if (!row.primary) return Tone::none;
  return row.verdict == Verdict::better  ? Tone::better
         : row.verdict == Verdict::worse ? Tone::worse
                                         : Tone::neutral;
}

std::vector<Cell> cells_of(const GroupRow& row) {
  const Quantity& quantity = row.quantity;
  const auto shown = [&](double value, bool there) {
    return there ? number(quantity.shown(value)) : Cell(Mark{"n/a"});
  };
  const auto percent = [&](const std::optional<double>& value) {
    // Of the races' median, as the difference itself is one between races.
    auto relative =
        value && !row.one_sided() ? percent_of(*value, statistics::median_of(row.baseline)) : std::nullopt;
    if (relative) relative = std::max(*relative, -100.0);  // nothing falls below zero
    return relative ? Cell(Real{*relative, 2, *relative >= 0, "%"}) : Cell(Mark{"n/a"});
  };
  const auto spread = [&](const std::vector<double>& values) {
    return optional_cell(values.size() < 2 ? std::nullopt
                                           : std::optional(quantity.shown(statistics::deviation_of(values))));
  };
  const auto& interval = row.shift.interval;
  std::vector<Cell> out{Cell(quantity.name()),
                        Cell(row.task),
                        shown(row.baseline_centre, !row.baseline.empty()),
                        spread(row.baseline),
                        shown(row.contender_centre, !row.contender.empty()),
                        spread(row.contender),
                        Cell(row.unit)};
  out.push_back(shown(row.shift.estimate, !row.one_sided()));
  out.push_back(percent(row.shift.estimate));
  out.push_back(percent(interval ? std::optional(interval->low) : std::nullopt));
  out.push_back(percent(interval ? std::optional(interval->high) : std::nullopt));
  const bool tested =
      !row.one_sided() && statistics::smallest_p(row.baseline.size(), row.contender.size()) < 1;
  out.push_back(tested ? number(row.p, 4) : Cell(Mark{"n/a"}));
  out.emplace_back(verdict_text(row));
  out.back().tone = tone_of(row);
  return out;
}

/// Numbers by value, before what is none.
bool comes_before(const std::string& a, const std::string& b) {
  const auto number = [](const std::string& text) -> std::optional<double> {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return text.empty() || *end != '\0' ? std::nullopt : std::optional(value);
  };
  const auto x = number(a), y = number(b);
  if (x && y && *x != *y) return *x < *y;
  if (x.has_value() != y.has_value()) return x.has_value();
  return a < b;
}

/// "x" where all of a group agree, else "x or y", the same in whatever order the races came.
std::string values_text(const std::vector<std::string>& values, std::size_t first, std::size_t count) {
  std::vector<std::string> distinct;
  for (std::size_t i = first; i < first + count; ++i) {
    if (std::ranges::find(distinct, values[i]) == distinct.end()) distinct.push_back(values[i]);
  }
  std::ranges::sort(distinct, comes_before);
  return fmt::format("{}", fmt::join(distinct, " or "));
}

/// "group: race x: "; a group of one is called as its race.
std::string who(const Group& group, const RacedSide& side) {
  if (group.label == side.race.id) return fmt::format("{}: ", group.label);
  return fmt::format("{}: race {}: ", group.label, side.race.id);
}

void add_group_state(std::vector<std::string>& notes, const Group& group) {
  for (const RacedSide& side : group.races) {
    if (side.race.state != RaceState::finished)
      notes.push_back(fmt::format("{}the race is {}, its figures are not whole", who(group, side),
                                  pacenote::to_string(side.race.state)));
    for (const TaskResult& task : side.results.tasks) {
      if (task.state != TaskState::complete)
        notes.push_back(fmt::format("{}{}", who(group, side), state_note(task)));
    }
  }
}

/// Tasks with errors in the order of the first race that has them.
void add_group_errors(std::vector<std::string>& notes, const Group& group) {
  std::set<std::string> said;
  for (const RacedSide& side : group.races) {
    for (const TaskResult& task : side.results.tasks) {
      const double share = failed_share(group, task.task);
      if (share > 0 && said.insert(task.task).second)
        notes.push_back(
            fmt::format("{}: task {}: error rate {} %; its times include those of failed requests",
                        group.label, task.task, fixed(share * 100, 2)));
    }
  }
}

void add_sandbox(std::vector<std::string>& notes, const Group& group) {
  const auto count = static_cast<std::size_t>(
      std::ranges::count_if(group.races, [](const RacedSide& side) { return side.race.cluster.sandbox; }));
  if (count > 0)
    notes.push_back(fmt::format(
        "{}: {} ran on pacenote's sandbox: the times say nothing about Elasticsearch", group.label,
        count == group.races.size() ? "all races"
                                    : fmt::format("{} of {} races", count, group.races.size())));
}

void add_imported(std::vector<std::string>& notes, const Group& group) {
  const auto imported =
      std::ranges::count_if(group.races, [](const RacedSide& side) { return is_imported(side.race); });
  if (imported > 0 && group.races.size() > 1)
    notes.push_back(
        fmt::format("{}: {} of {} races are imported, without samples: percentiles are medians of "
                    "those of the races, throughput is Rally's running mean",
                    group.label, imported, group.races.size()));
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::better:
      return "better";
    case Verdict::worse:
      return "worse";
    case Verdict::none_shown:
      return "no difference shown";
    case Verdict::cannot_tell:
      break;
  }
  return "cannot tell";
}

Table groups_table(const std::vector<std::vector<GroupRow>>& comparisons,
                   const std::vector<std::string>& names) {
  const bool several = comparisons.size() > 1;
  Table table;
  table.header = {"Metric", "Task",   "Baseline",    "Spread",    "Contender", "Contender spread", "Unit",
                  "Diff",   "Diff %", "Diff % from", "Diff % to", "p",         "Verdict"};
  if (several) table.header.insert(table.header.begin(), "Groups");
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    for (const GroupRow& row : comparisons[i]) {
      table.rows.push_back(cells_of(row));
      if (several) table.rows.back().insert(table.rows.back().begin(), Cell(names[i]));
    }
  }
  return table;
}

std::vector<std::string> groups_head(const std::vector<Group>& groups) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    lines.push_back(fmt::format("{} {}: {}", i == 0 ? "Comparing" : "with", groups[i].label,
                                plural(groups[i].races.size(), "race")));
    for (const RacedSide& side : groups[i].races)
      lines.push_back(fmt::format("  {} {} {}{}{}", side.race.id, basic_timestamp(side.race.started),
                                  side.race.track, side.race.user_tags.empty() ? "" : ", ",
                                  tags_text(side.race.user_tags)));
  }
  lines.emplace_back(
      "Baseline, Contender: medians over the races, percentiles over all their samples. Spread: standard "
      "deviation.");
  lines.emplace_back(
      "Diff: the median of all differences between two races (Hodges-Lehmann), not that of the columns; "
      "from, to: "
      "95 % of this metric alone. p: with a verdict, of all such metrics together, so that it may see less.");
  return lines;
}

std::vector<std::string> groups_notes(const Group& baseline, const Group& contender) {
  std::vector<const RacedSide*> races;
  for (const Group* group : {&baseline, &contender})
    for (const RacedSide& side : group->races) races.push_back(&side);
  std::vector<std::string> notes, differences, mixed;
  const std::size_t first = baseline.races.size();
  for (const Property& property : differing(races)) {
    const std::string a = values_text(property.values, 0, first);
    const std::string b = values_text(property.values, first, races.size() - first);
    if (property.name == "track")
      notes.push_back(
          fmt::format("the races are of different tracks ({}, {}): their figures do not compare", a, b));
    if (a != b)
      differences.push_back(fmt::format("{} ({}, {})", property.name, a, b));
    else
      mixed.push_back(fmt::format("{} ({})", property.name, a));
  }
  if (!differences.empty())
    notes.push_back(
        fmt::format("{} and {} differ in {}", baseline.label, contender.label, fmt::join(differences, ", ")));
  if (!mixed.empty())
    notes.push_back(fmt::format("both groups mix races that differ in {}", fmt::join(mixed, ", ")));
  add_group_state(notes, baseline);
  add_group_state(notes, contender);
  for (const Group* group : {&baseline, &contender}) {
    add_group_errors(notes, *group);
    add_imported(notes, *group);
    add_sandbox(notes, *group);
  }
  return notes;
}

std::vector<std::string> single_race_notes(const RacedSide& baseline, const RacedSide& contender,
                                           const SampleTimes& samples) {
  constexpr std::size_t kMostNamed = 3;
  std::size_t fewest = 2;
  while (statistics::smallest_p(fewest, fewest) > 0.05) ++fewest;
  std::vector<std::string> wishes;
  for (const GroupRow& row : compare_groups({"", {baseline}}, {"", {contender}}, {{}, {}}, samples)) {
    if (row.one_sided()) continue;
    const auto percent = percent_of(row.shift.estimate, statistics::median_of(row.baseline));
    if (!row.primary || !row.more || !percent || wishes.size() == kMostNamed) continue;
    if (*row.more > kPractical) continue;
    wishes.push_back(fmt::format("{} for the {:+.1f} % in {} of {} (noise {:.1f} %)", *row.more, *percent,
                                 row.quantity.name(), row.task,
                                 percent_of(*row.noise, row.baseline_centre).value_or(0)));
  }
  std::string note = fmt::format(
      "no verdict: one race against one does not tell the server from chance; {} more races of each are the "
      "fewest that can",
      fewest - 1);
  if (!wishes.empty())
    note += fmt::format(". If races differ by no more than the inside of these, it takes {} more of each",
                        fmt::join(wishes, ", "));
  return {note};
}

}  // namespace pacenote::reporters
