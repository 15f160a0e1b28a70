#include "store/store.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/store_file.hpp"

namespace pacenote::store_test {

using namespace std::chrono_literals;
using Catch::Contains;
using store::RaceFilter;
using store::Store;
using test::raw_sql;
using test::StoreFile;

RaceRecord race_of(const std::string& id, int minute = 0) {
  RaceRecord race;
  race.id = id;
  race.started = WallTime(std::chrono::milliseconds(1'764'500'000'123)) + std::chrono::minutes(minute);
  race.track = "http_logs";
  race.challenge = "append-no-conflicts";
  return race;
}

std::vector<std::string> ids(const std::vector<RaceRecord>& races) {
  std::vector<std::string> out;
  for (const RaceRecord& race : races) out.push_back(race.id);
  return out;
}

TEST_CASE("a race is found by its id or a prefix of it", "[store]") {
  Store store(":memory:");
  for (const char* id : {"aabb", "aacc", "aa", "b_1", "bx1"}) store.create_race(race_of(id));
  CHECK(store.race("aab").id == "aabb");
  CHECK(store.race("aa").id == "aa");
  CHECK(store.race("b_").id == "b_1");
  CHECK_THROWS_WITH(store.race("a"), Contains("several"));
  CHECK_THROWS_WITH(store.race("zz"), Contains("no race \"zz\""));
  CHECK_THROWS_WITH(store.race(""), Contains("no race"));
  CHECK_THROWS_WITH(store.create_race(race_of("aabb")), Contains("already"));
  CHECK_THROWS_AS(store.update_race(race_of("new")), UserError);
  CHECK_THROWS_AS(store.sample_count("aab"), UserError);
}

TEST_CASE("a listing shows what the filter asks for, newest first", "[store]") {
  Store store(":memory:");
  for (int i = 0; i < 6; ++i) {
    RaceRecord race = race_of(std::to_string(i), i);
    if (i % 2 != 0) race.track = "geonames";
    if (i > 2) race.challenge = "sorted";
    race.user_tags = {{"version", i < 4 ? "old" : "new"}, {"number", i}};
    store.create_race(race);
  }
  const auto listed = [&](const RaceFilter& filter) { return ids(store.races(filter)); };
  using Ids = std::vector<std::string>;
  CHECK(listed({}) == Ids{"5", "4", "3", "2", "1", "0"});
  RaceFilter filter;
  filter.limit = 2;
  CHECK(listed(filter) == Ids{"5", "4"});
  filter.track = "geonames";
  filter.user_tags = {{"version", "old"}};
  CHECK(listed(filter) == Ids{"3", "1"});
  filter = {};
  filter.challenge = "sorted";
  CHECK(listed(filter) == Ids{"5", "4", "3"});
  filter = {};
  filter.from = race_of("", 1).started;
  filter.to = race_of("", 3).started;
  CHECK(listed(filter) == Ids{"2", "1"});
  filter = {};
  filter.user_tags = {{"version", "new"}, {"number", 5}};
  CHECK(listed(filter) == Ids{"5"});
}

TEST_CASE("results are replaced, and absent ones are empty", "[store]") {
  Store store(":memory:");
  store.create_race(race_of("a"));
  CHECK(store.results("a").tasks.empty());
  Results results;
  results.cluster = {{"total_time", 17}};
  store.save_results("a", results);
  results.tasks.resize(1);
  results.tasks[0].task = "index-append";
  store.save_results("a", results);
  const Results back = store.results("a");
  REQUIRE(back.tasks.size() == 1);
  CHECK(back.tasks[0].task == "index-append");
  CHECK(back.cluster.at("total_time") == 17);
  CHECK_THROWS_AS(store.save_results("b", results), UserError);
}

TEST_CASE("indices that races made are known by cluster and UUID", "[store]") {
  Store store(":memory:");
  store.note_created("cluster", "logs", "u1");
  store.note_created("cluster", "logs", "u1");
  CHECK(store.created_here("cluster", "u1"));
  CHECK_FALSE(store.created_here("cluster", "u2"));
  CHECK_FALSE(store.created_here("other", "u1"));
}

TEST_CASE("a removed race takes everything with it, and gives its space back", "[store]") {
  const StoreFile file;
  const Instant epoch(1h);
  Names names;
  std::uintmax_t before = 0;
  {
    Store store(file.path());
    store.create_race(race_of("keep"));
    store.create_race(race_of("gone"));
    for (const char* id : {"keep", "gone"}) {
      const auto samples = test::some_samples(id == std::string("keep") ? 10 : 20'000, epoch, names);
      store.add_samples(id, epoch, samples, names);
      store.add_metrics(id, epoch, {{"m", 1.0, "ms", epoch, "", "", Json()}});
      store.save_results(id, {});
    }
  }
  before = std::filesystem::file_size(file.path());
  {
    Store store(file.path());
    store.remove_race("gone");
    CHECK(ids(store.races({})) == std::vector<std::string>{"keep"});
    CHECK_THROWS_AS(store.remove_race("gone"), UserError);
    CHECK(store.sample_count("keep") == 10);
    store.create_race(race_of("gone"));
    CHECK(store.sample_count("gone") == 0);
    CHECK(store.metrics("gone", epoch).empty());
  }
  CHECK(std::filesystem::file_size(file.path()) + 60'000 < before);
}

TEST_CASE("a race whose process was killed is shown as interrupted, one that runs as running", "[store]") {
  const StoreFile file;
  Store store(file.path());
  store.create_race(race_of("mine"));
  store.create_race(race_of("killed"));
  store.create_race(race_of("done"));
  RaceRecord done = race_of("done");
  done.state = RaceState::finished;
  store.update_race(done);
  raw_sql(file.path(), "UPDATE race SET process = '1 2 3' WHERE id <> 'mine'");
  CHECK(store.race("mine").state == RaceState::running);
  CHECK(store.race("killed").state == RaceState::interrupted);
  CHECK(store.race("done").state == RaceState::finished);
  store.remove_race("killed");
}

TEST_CASE("what a killed process had stored is there, and its race is interrupted", "[store]") {
  const StoreFile file;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    Names names;
    Store store(file.path());
    store.create_race(race_of("a"));
    store.add_samples("a", Instant(1h), test::some_samples(1000, Instant(1h), names), names);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  const Store store(file.path());
  CHECK(store.race("a").state == RaceState::interrupted);
  CHECK(store.sample_count("a") == 1000);
}

TEST_CASE("a race that was deleted while it runs is said to be", "[store]") {
  const StoreFile file;
  Store one(file.path()), two(file.path());
  one.create_race(race_of("a"));
  one.save_results("a", {});
  two.remove_race("a");
  CHECK_THROWS_WITH(one.save_results("a", {}), Contains("deleted"));
}

TEST_CASE("a file that is removed or replaced while it is written to is said to be", "[store]") {
  const StoreFile file;
  Store store(file.path());
  store.create_race(race_of("a"));
  std::filesystem::remove(file.path());
  CHECK_THROWS_WITH(store.create_race(race_of("b")), Contains("removed or replaced"));
  std::ofstream(file.path()) << "another";
  CHECK_THROWS_WITH(store.create_race(race_of("b")), Contains("removed or replaced"));
}

TEST_CASE("the file is its owner's, its folder is made, and nothing stays beside it", "[store]") {
  const StoreFile file;
  const auto path = file.path().parent_path() / "a" / "b" / "races.db";
  { Store(path).create_race(race_of("a")); }
  using std::filesystem::perms;
  CHECK(std::filesystem::status(path).permissions() == (perms::owner_read | perms::owner_write));
  const std::filesystem::directory_iterator folder(path.parent_path());
  CHECK(std::distance(begin(folder), end(folder)) == 1);
  CHECK(Store(path).race("a").id == "a");
}

TEST_CASE("two processes can use one file, and a lock that stays is named", "[store]") {
  const StoreFile file;
  Store one(file.path(), 1ms), two(file.path(), 1ms);
  one.create_race(race_of("a"));
  two.create_race(race_of("b"));
  CHECK(ids(one.races({})).size() == 2);
  CHECK(one.race("b").id == "b");
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(file.path().c_str(), &handle) == SQLITE_OK);
  REQUIRE(sqlite3_exec(handle, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr) == SQLITE_OK);
  CHECK_THROWS_WITH(one.create_race(race_of("c")), Contains("locked") && Contains(file.path().string()));
  CHECK(two.race("a").id == "a");  // reading goes on
  sqlite3_close(handle);
  one.create_race(race_of("c"));
}

TEST_CASE("several may open a new file at once and write to it", "[store]") {
  const StoreFile file;
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&file, k] {
      Store store(file.path());
      for (int i = 0; i < 10; ++i) store.create_race(race_of(fmt::format("{}-{}", k, i)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  RaceFilter all;
  all.limit = 100;
  CHECK(Store(file.path()).races(all).size() == 40);
}

TEST_CASE("ten thousand races are listed", "[store]") {
  const StoreFile file;
  {
    Store store(file.path());
    store.create_race(race_of("first"));
    store.save_results("first", {});
  }
  raw_sql(
      file.path(),
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)"
      "INSERT INTO race(id, started_ms, seconds, state, process, pipeline, track, challenge, car,"
      " challenge_auto_generated, version, failure, user_tags, track_params, cluster, warnings, settings)"
      " SELECT 'race-' || i, started_ms + i, i, 'finished', '', pipeline, track, challenge, car, 0, version, "
      "'',"
      " '{\"n\":' || i || '}', track_params, cluster, warnings, settings FROM race, n");
  const Store store(file.path());
  RaceFilter filter;
  CHECK(ids(store.races(filter)).front() == "race-9999");
  CHECK(store.races(filter).size() == 10);
  filter.user_tags = {{"n", 17}};
  CHECK(ids(store.races(filter)) == std::vector<std::string>{"race-17"});
  filter = {};
  filter.from = race_of("").started + 9'900ms;
  filter.limit = 1000;
  CHECK(store.races(filter).size() == 100);
  CHECK(store.race("race-5000").seconds == 5000);
}

}  // namespace pacenote::store_test
