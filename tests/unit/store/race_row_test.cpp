#include "store/race_row.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "store/store.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/store_file.hpp"

namespace pacenote::race_row_test {

using store::Store;

RaceRecord race_of(const std::string& id) {
  RaceRecord race;
  race.id = id;
  race.started = WallTime(std::chrono::milliseconds(1'764'500'000'123));
  race.track = "http_logs";
  race.challenge = "append-no-conflicts";
  return race;
}

TEST_CASE("a brief listing has what a table of races shows", "[race_row]") {
  Store store(":memory:");
  for (const char* id : {"a", "b", "c", "d"}) {
    RaceRecord race = race_of(id);
    race.user_tags = {{"id", id}};
    race.settings = {{"on-error", "abort"}};
    race.warnings = {"first"};
    race.cluster.version = id == std::string("b") ? "8.4.0" : "2.19.6";
    store.create_race(race);
  }
  store::RaceFilter filter;
  filter.brief = true;
  const std::vector<RaceRecord> brief = store.races(filter);
  filter.brief = false;
  const std::vector<RaceRecord> whole = store.races(filter);
  REQUIRE(brief.size() == 4);
  REQUIRE(whole.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(brief[i].id == whole[i].id);
    CHECK(brief[i].track == "http_logs");
    CHECK(brief[i].challenge == "append-no-conflicts");
    CHECK(brief[i].started == whole[i].started);
    CHECK(brief[i].state == whole[i].state);
    CHECK(brief[i].user_tags == Json{{"id", brief[i].id}});
    CHECK(brief[i].cluster.version == (brief[i].id == "b" ? "8.4.0" : "2.19.6"));
    CHECK(whole[i].cluster.version == brief[i].cluster.version);
    CHECK(brief[i].settings.empty());
    CHECK(whole[i].settings == Json{{"on-error", "abort"}});
    CHECK(whole[i].warnings.size() == 1);
  }
}

TEST_CASE("a race comes back with all that it is", "[race_row]") {
  Store store(":memory:");
  RaceRecord race = race_of("d1a1b2c3");
  race.pipeline = "benchmark-only";
  race.challenge_auto_generated = true;
  race.track_params = {{"bulk_size", 500}, {"a", nullptr}};
  race.user_tags = {{"intention", "größer"}};
  race.settings = {{"on-error", "abort"}, {"client-options", {{"timeout", 60}}}};
  race.cluster = {"prod", "uuid-1", "8.4.0",     "default", "abcdef", Product::elasticsearch,
                  8,      true,     "serverless"};
  race.version = "0.1.0";
  race.track_revision = "3fa9c01";
  store.create_race(race);
  race.seconds = 12.5;
  race.state = RaceState::failed;
  race.failure = "bulk: 503";
  race.warnings = {"first", "second: \"quoted\""};
  store.update_race(race);

  const RaceRecord back = store.race("d1a1b2c3");
  CHECK(back.started == race.started);
  CHECK(back.seconds == 12.5);
  CHECK(back.state == RaceState::failed);
  CHECK(back.failure == race.failure);
  CHECK(back.warnings == race.warnings);
  CHECK(back.pipeline == race.pipeline);
  CHECK(back.track == race.track);
  CHECK(back.challenge == race.challenge);
  CHECK(back.car == "external");
  CHECK(back.challenge_auto_generated);
  CHECK(back.track_params == race.track_params);
  CHECK(back.user_tags == race.user_tags);
  CHECK(back.settings == race.settings);
  CHECK(back.version == "0.1.0");
  CHECK(back.track_revision == "3fa9c01");
  CHECK(back.cluster.name == "prod");
  CHECK(back.cluster.uuid == "uuid-1");
  CHECK(back.cluster.version == "8.4.0");
  CHECK(back.cluster.flavor == "default");
  CHECK(back.cluster.revision == "abcdef");
  CHECK(back.cluster.product == Product::elasticsearch);
  CHECK(back.cluster.major == 8);
  CHECK(back.cluster.sandbox);
  CHECK(back.cluster.platform == "serverless");
}

TEST_CASE("a damaged row is named", "[race_row]") {
  const test::StoreFile file;
  Store store(file.path());
  store.create_race(race_of("a"));
  for (const char* broken : {"settings = 'x{'", "cluster = '[]'", "warnings = '{}'"}) {
    test::raw_sql(file.path(), fmt::format("UPDATE race SET {}", broken));
    CHECK_THROWS_WITH(store.race("a"), Catch::Contains(file.path().string()) && Catch::Contains("race a"));
  }
}

}  // namespace pacenote::race_row_test
