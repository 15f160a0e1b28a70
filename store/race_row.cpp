#include "store/race_row.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "store/process.hpp"

namespace pacenote::store {
namespace {

constexpr std::array<std::string_view, 3> kProducts = {"unknown", "elasticsearch", "opensearch"};

std::string text_of(const ClusterInfo& cluster) {
  return to_text(Json{{"name", cluster.name},
                      {"uuid", cluster.uuid},
                      {"version", cluster.version},
                      {"flavor", cluster.flavor},
                      {"revision", cluster.revision},
                      {"product", kProducts.at(static_cast<std::size_t>(cluster.product))},
                      {"major", cluster.major},
                      {"sandbox", cluster.sandbox},
                      {"platform", cluster.platform}});
}

ClusterInfo cluster_from(const Json& json) {
  ClusterInfo cluster;
  cluster.name = json.at("name").get<std::string>();
  cluster.uuid = json.at("uuid").get<std::string>();
  cluster.version = json.at("version").get<std::string>();
  cluster.flavor = json.at("flavor").get<std::string>();
  cluster.revision = json.at("revision").get<std::string>();
  const std::string product = json.at("product").get<std::string>();
  for (std::size_t i = 0; i < kProducts.size(); ++i) {
    if (kProducts[i] == product) cluster.product = static_cast<Product>(i);
  }
  cluster.major = json.at("major").get<int>();
  cluster.sandbox = json.at("sandbox").get<bool>();
  cluster.platform = json.at("platform").get<std::string>();
  return cluster;
}

RaceState state_from(const std::string& text, const std::string& process) {
  const RaceState state = race_state_from(text);
  return state == RaceState::running && !lives(process) ? RaceState::interrupted : state;
}

}  // namespace

void insert_race(Database& database, const RaceRecord& race) {
  Query(database,
        "INSERT INTO race(id, started_ms, seconds, state, process, pipeline, track, challenge, car,"
        " challenge_auto_generated, version, failure, user_tags, track_params, cluster, warnings, settings,"
        " annotations, track_revision) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        race.id, race.started.time_since_epoch().count(), race.seconds, to_string(race.state), this_process(),
        race.pipeline, race.track, race.challenge, race.car, race.challenge_auto_generated, race.version,
        race.failure, to_text(race.user_tags), to_text(race.track_params), text_of(race.cluster),
        to_text(Json(race.warnings)), to_text(race.settings), to_text(Json(race.annotations)),
        race.track_revision)
      .run();
}

bool update_race(Database& database, const RaceRecord& race) {
  return Query(
             database,
             "UPDATE race SET started_ms = ?, seconds = ?, state = ?, pipeline = ?, track = ?, challenge = ?,"
             " car = ?, challenge_auto_generated = ?, version = ?, failure = ?, user_tags = ?, track_params "
             "= ?,"
             " cluster = ?, warnings = ?, settings = ?, annotations = ?, track_revision = ? WHERE id = ?",
             race.started.time_since_epoch().count(), race.seconds, to_string(race.state), race.pipeline,
             race.track, race.challenge, race.car, race.challenge_auto_generated, race.version, race.failure,
             to_text(race.user_tags), to_text(race.track_params), text_of(race.cluster),
             to_text(Json(race.warnings)), to_text(race.settings), to_text(Json(race.annotations)),
             race.track_revision, race.id)
             .run() > 0;
}

const char* const kRaceColumns =
    "id, track, challenge, user_tags, started_ms, seconds, state, process, pipeline, car,"
    " challenge_auto_generated, version, failure, track_params, cluster, warnings, settings, annotations,"
    " track_revision";
const char* const kBriefRaceColumns =
    "id, track, challenge, user_tags, started_ms, seconds, state, process, pipeline, car,"
    " challenge_auto_generated, version, failure, '{}', cluster, '[]', '{}', '[]', track_revision";

RaceRecord RaceRows::race(const Query& row) {
  RaceRecord race;
  race.id = row.text(0);
  const std::string what = fmt::format("race {}", race.id);
  try {
    race.track = row.text(1);
    race.challenge = row.text(2);
    race.user_tags = database_.json(row.text(3), what);
    race.started = WallTime(std::chrono::milliseconds(row.integer(4)));
    race.seconds = row.real(5);
    race.state = state_from(row.text(6), row.text(7));
    race.pipeline = row.text(8);
    race.car = row.text(9);
    race.challenge_auto_generated = row.integer(10) != 0;
    race.version = row.text(11);
    race.failure = row.text(12);
    race.track_params = database_.json(row.text(13), what);
    if (std::string text = row.text(14); text != cluster_text_) {
      cluster_ = cluster_from(database_.json(text, what));
      cluster_text_ = std::move(text);
    }
    race.cluster = cluster_;
    race.warnings = database_.json(row.text(15), what).get<std::vector<std::string>>();
    race.settings = database_.json(row.text(16), what);
    race.annotations = database_.json(row.text(17), what).get<std::vector<std::string>>();
    race.track_revision = row.text(18);
  } catch (const Json::exception&) {
    database_.damaged(what);
  }
  return race;
}

}  // namespace pacenote::store
