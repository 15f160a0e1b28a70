// Rally's race.json (behaviour F.4).
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "reporters/rally.hpp"

namespace pacenote::reporters {
namespace {

constexpr std::string_view kImported = "imported";  // in RaceRecord::settings: what Rally's file said
constexpr std::string_view kRallyVersion = "Rally ", kOurVersion = "pacenote ";
constexpr const char* kSandbox = "sandbox";  // as environment: Rally has no other place for it

Json null_if_empty(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json object_at(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_object() ? *it : Json::object();
}

Json rally_results(const Results& results) {
  Results reported = results;
  std::erase_if(reported.tasks, [](const TaskResult& task) {
    return !task.include_in_reporting || task.state == TaskState::not_run;
  });
  const Json ours = to_json(reported);
  Json out = Json::object();
  if (ours.contains("cluster_name")) out["cluster_name"] = ours.at("cluster_name");
  for (const auto& [key, value] : ours.items()) {
    if (key != "pacenote") out[key] = value;
  }
  for (Json& task : out["op_metrics"]) task.erase("pacenote");
  return out;
}

std::optional<WallTime> time_from(const std::string& stamp) {
  const auto digits = [&](std::size_t at, std::size_t count) {
    const std::string part = stamp.substr(at, count);
    return part.find_first_not_of("0123456789") == std::string::npos ? std::stoi(part) : -1;
  };
  if (stamp.size() != 16 || stamp[8] != 'T' || stamp[15] != 'Z') return std::nullopt;
  const int month = digits(4, 2), day = digits(6, 2), year = digits(0, 4);
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(std::max(month, 0))),
                                         std::chrono::day(static_cast<unsigned>(std::max(day, 0)))};
  const int hours = digits(9, 2), minutes = digits(11, 2), secs = digits(13, 2);
  if (!date.ok() || hours < 0 || minutes < 0 || secs < 0) return std::nullopt;
  return WallTime(std::chrono::sys_days(date)) + std::chrono::hours(hours) + std::chrono::minutes(minutes) +
         std::chrono::seconds(secs);
}

WallTime started_at(const Json& document, const std::string& what) {
  if (const auto at = document.find("@timestamp"); at != document.end() && at->is_number())
    return WallTime(std::chrono::milliseconds(at->get<std::int64_t>()));
  const std::string stamp = member_text(document, "race-timestamp");
  if (const auto time = time_from(stamp)) return *time;
  throw UserError(fmt::format("{}: race-timestamp [{}] is no time", what, stamp),
                  "Rally writes 20261130T093920Z");
}

std::string car_of(const Json& document) {
  const auto car = document.find("car");
  if (car == document.end()) return "external";
  if (car->is_string()) return car->get<std::string>();
  std::string out;
  for (const Json& one : *car) {
    if (one.is_string()) out += fmt::format("{}{}", out.empty() ? "" : "+", one.get<std::string>());
  }
  return out;
}

ClusterInfo cluster_of(const Json& document) {
  const Json cluster = object_at(document, "cluster");
  ClusterInfo out;
  out.version = member_text(cluster, "distribution-version");
  out.flavor = member_text(cluster, "distribution-flavor");
  out.revision = member_text(cluster, "revision");
  out.sandbox = member_text(document, "rally-version").starts_with(kOurVersion) &&
                member_text(document, "environment") == kSandbox;
  return out;
}

/// What every Rally since 1.0 writes of a task: without it, figures would be made up.
void check_tasks(const Json& results, const std::string& what) {
  constexpr const char* kHint = "import the race.json that Rally wrote, unchanged";
  const auto tasks = results.find("op_metrics");
  if (tasks == results.end() || !tasks->is_array())
    throw UserError(fmt::format("{} has no list results.op_metrics", what), kHint);
  for (std::size_t i = 0; i < tasks->size(); ++i) {
    const Json& task = (*tasks)[i];
    const auto has = [&](const char* key, bool (Json::*is)() const noexcept) {
      return task.is_object() && task.contains(key) && (task.at(key).*is)();
    };
    if (!has("operation", &Json::is_string) || !has("error_rate", &Json::is_number))
      throw UserError(fmt::format("{}: results.op_metrics[{}] is not a task with its error_rate", what, i),
                      kHint);
  }
}

}  // namespace

Json rally_race(const RaceRecord& race, const Results& results) {
  const Json was = object_at(race.settings, kImported.data());
  const auto kept = [&](const char* key, const Json& otherwise) {
    return was.contains(key) ? was.at(key) : otherwise;
  };
  Json out = Json::object();
  if (was.empty() || was.contains("@timestamp")) out["@timestamp"] = race.started.time_since_epoch().count();
  out["rally-version"] = kept("rally-version", fmt::format("{}{}", kOurVersion, race.version));
  out["rally-revision"] = kept("rally-revision", nullptr);
  out["environment"] = kept("environment", race.cluster.sandbox ? kSandbox : "local");
  out["race-id"] = race.id;
  out["race-timestamp"] = basic_timestamp(race.started);
  out["pipeline"] = race.pipeline;
  if (was.empty() || was.contains("multi-cluster")) out["multi-cluster"] = false;
  out["user-tags"] = race.user_tags;
  out["track"] = race.track;
  out["car"] = kept("car", Json::array({race.car}));
  out["cluster"] = kept("cluster", {{"revision", null_if_empty(race.cluster.revision)},
                                    {"distribution-version", null_if_empty(race.cluster.version)},
                                    {"distribution-flavor", null_if_empty(race.cluster.flavor)},
                                    {"team-revision", nullptr}});
  out["results"] = rally_results(results);
  if (!race.track_revision.empty()) out["track-revision"] = race.track_revision;
  for (const char* key : {"track-revision", "car-params", "plugin-params"})
    if (was.contains(key)) out[key] = was.at(key);
  if (!race.challenge.empty() && !race.challenge_auto_generated) out["challenge"] = race.challenge;
  if (!race.track_params.empty()) out["track-params"] = race.track_params;
  return out;
}

bool is_imported(const RaceRecord& race) { return race.settings.contains(std::string(kImported)); }

bool is_rally_race(const Json& document) {
  return document.is_object() && document.contains("race-id") && document.contains("track") &&
         !document.contains("pacenote");
}

RacedSide race_from_rally(const Json& document, const std::string& what) {
  if (!is_rally_race(document))
    throw UserError(fmt::format("{} is no race.json of Rally", what),
                    "Rally keeps them in ~/.rally/benchmarks/races");
  const auto results = document.find("results");
  if (results == document.end() || results->is_null())
    throw UserError(fmt::format("{} has no results", what), "Rally did not finish that race");
  if (!results->is_object())
    throw UserError(fmt::format("{} has the results of several clusters", what),
                    "a race has one cluster here");
  check_tasks(*results, what);
  RacedSide out;
  out.results = results_from_json(*results);
  RaceRecord& race = out.race;
  race.id = member_text(document, "race-id");
  if (race.id.empty())
    throw UserError(fmt::format("{} has no race-id", what),
                    "import the race.json that Rally wrote, or what export --format=rally made");
  if (!is_race_id(race.id))
    throw UserError(
        fmt::format("{}: the race-id cannot be [{}]", what, printable(race.id.substr(0, kLongestRaceId))),
        kRaceIdHint);
  race.started = started_at(document, what);
  race.state = RaceState::finished;
  race.pipeline = member_text(document, "pipeline");
  race.track = member_text(document, "track");
  race.track_revision = member_text(document, "track-revision");
  race.challenge = member_text(document, "challenge");
  race.challenge_auto_generated = race.challenge.empty();
  race.car = car_of(document);
  race.track_params = object_at(document, "track-params");
  race.user_tags = object_at(document, "user-tags");
  race.cluster = cluster_of(document);
  race.version = fmt::format("{}{}", kRallyVersion, member_text(document, "rally-version"));
  Json kept = document;
  kept.erase("results");
  race.settings[std::string(kImported)] = std::move(kept);
  return out;
}

}  // namespace pacenote::reporters
