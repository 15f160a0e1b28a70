#include "reporters/race_differences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace pacenote::reporters {
namespace {

/// Settings that tell where something is written or how it is shown, or that stand among the other
/// properties.
constexpr std::string_view kIrrelevant[] = {
    "race-id",      "user-tags",           "store",   "data-dir",          "python",
    "report-file",  "report-format",       "quiet",   "offline",           "report-numbers-align",
    "track-params", "show-in-report",      "fail-on", "junit-file",        "ignore-unused-track-params",
    "track",        "challenge",           "sandbox", "allow-destructive", "skip-rest-api-check",
    "imported",     "show-processing-time"};

std::string text_of(const Json& value) {
  if (value.is_null()) return "not given";
  if (value.is_array()) {
    std::vector<std::string> texts;
    for (const Json& element : value) texts.push_back(text_of(element));
    return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
  }
  if (value.is_string() && value.get<std::string>().empty()) return "none";
  return value.is_string() ? value.get<std::string>() : to_text(value);
}

/// Of the cluster or the track: what one did not say, or an import does not have.
Json known(const std::string& text) { return text.empty() ? "not known" : text; }

class Properties {
 public:
  explicit Properties(std::size_t races) : races_(races) {}
  void add(const std::string& name, std::size_t race, const Json& value) {
    const auto [it, fresh] = places_.emplace(name, all_.size());
    if (fresh) all_.push_back({name, std::vector<std::string>(races_, "not given")});
    all_[it->second].values[race] = text_of(value);
  }
  /// Only where all races have it.
  std::vector<Property> take(const std::vector<std::string>& needed_by_all) {
    std::erase_if(all_, [&](const Property& property) {
      const bool same = std::ranges::all_of(
          property.values, [&](const std::string& value) { return value == property.values.front(); });
      const bool optional = std::ranges::any_of(
          needed_by_all, [&](const std::string& prefix) { return property.name.starts_with(prefix); });
      return same || (optional && std::ranges::count(property.values, "not given") > 0);
    });
    return std::move(all_);
  }

 private:
  std::size_t races_;
  std::map<std::string, std::size_t> places_;
  std::vector<Property> all_;
};

void add_settings(Properties& out, std::size_t i, const Json& settings) {
  for (const auto& [name, value] : settings.items()) {
    if (std::ranges::find(kIrrelevant, name) != std::end(kIrrelevant)) continue;
    if (!value.is_object()) {
      out.add(fmt::format("setting {}", name), i, value);
      continue;
    }
    for (const auto& [inner, inner_value] : value.items())
      out.add(fmt::format("setting {}.{}", name, inner), i, inner_value);
  }
}

void add_race(Properties& out, std::size_t i, const RacedSide& side) {
  const RaceRecord& race = side.race;
  out.add("track", i, race.track);
  out.add("track revision", i, race.track_revision.empty() ? Json() : Json(race.track_revision));
  out.add("challenge", i, known(race.challenge));
  for (const auto& [key, value] : race.track_params.items())
    out.add(fmt::format("track parameter {}", key), i, value);
  out.add("pacenote's version", i, known(race.version));
  out.add("cluster version", i, known(race.cluster.version));
  out.add("cluster flavor", i, known(race.cluster.flavor));
  out.add("cluster revision", i, known(race.cluster.revision));
  out.add("cluster", i, known(race.cluster.name));
  for (const auto& [key, value] : side.nodes.items()) out.add(fmt::format("nodes' {}", key), i, value);
  add_settings(out, i, race.settings);
  for (const TaskResult& task : side.results.tasks) {
    if (task.clients > 0) out.add(fmt::format("clients of task {}", task.task), i, task.clients);
  }
}

}  // namespace

std::vector<Property> differing(const std::vector<const RacedSide*>& races) {
  Properties properties(races.size());
  for (std::size_t i = 0; i < races.size(); ++i) add_race(properties, i, *races[i]);
  return properties.take({"track revision", "setting ", "clients of task ", "nodes' "});
}

}  // namespace pacenote::reporters
