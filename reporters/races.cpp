#include "reporters/races.hpp"

#include "reporters/comparison.hpp"

namespace pacenote::reporters {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string_view to_string(Product product) {
  switch (product) {
    case Product::elasticsearch:
      return "elasticsearch";
    case Product::opensearch:
      return "opensearch";
    case Product::unknown:
      break;
  }
  return "unknown";
}

Json cluster_document(const ClusterInfo& cluster) {
  return {{"name", text_or_null(cluster.name)},
          {"uuid", text_or_null(cluster.uuid)},
          {"product", to_string(cluster.product)},
          {"revision", text_or_null(cluster.revision)},
          {"distribution-version", text_or_null(cluster.version)},
          {"distribution-flavor", text_or_null(cluster.flavor)},
          {"sandbox", cluster.sandbox}};
}

}  // namespace

Table races_table(const std::vector<RaceRecord>& races) {
  Table table;
  table.header = {"Race ID", "Race Timestamp", "Track", "Challenge", "Car", "Version", "State", "User Tags"};
  for (const RaceRecord& race : races) {
    std::vector<Cell> row;
    for (const std::string& text :
         {race.id, basic_timestamp(race.started), race.track,
          race.challenge_auto_generated ? std::string() : race.challenge, race.car, race.cluster.version,
          std::string(pacenote::to_string(race.state)), tags_text(race.user_tags)}) {
      row.emplace_back(text);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Json race_document(const RaceRecord& race, const Results* results) {
  Json out = {{"@timestamp", race.started.time_since_epoch().count()},
              {"race-id", race.id},
              {"race-timestamp", basic_timestamp(race.started)},
              {"pipeline", race.pipeline},
              {"user-tags", race.user_tags},
              {"track", race.track},
              {"car", Json::array({race.car})},
              {"cluster", cluster_document(race.cluster)}};
  if (results != nullptr) {
    Results reported = *results;
    std::erase_if(reported.tasks, [](const TaskResult& task) { return !task.include_in_reporting; });
    out["results"] = to_json(reported);
  }
  if (!race.challenge_auto_generated) out["challenge"] = race.challenge;
  if (!race.track_params.empty()) out["track-params"] = race.track_params;
  if (!race.track_revision.empty()) out["track-revision"] = race.track_revision;
  out["pacenote"] = {{"version", race.version}, {"state", pacenote::to_string(race.state)},
                     {"seconds", race.seconds}, {"warnings", race.warnings},
                     {"failure", race.failure}, {"settings", race.settings}};
  if (!race.annotations.empty()) out["pacenote"]["annotations"] = race.annotations;
  return out;
}

}  // namespace pacenote::reporters
