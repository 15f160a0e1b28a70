#include "core/error.hpp"
#include "store/store.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/store_file.hpp"

namespace pacenote::store::copy_test {

RaceRecord ended(const std::string& id) {
  RaceRecord race;
  race.id = id;
  race.track = "t";
  race.state = RaceState::finished;
  race.user_tags = {{"k", "v"}};
  race.annotations = {"2026-11-30 disk was full"};
  return race;
}

TEST_CASE("a race goes from one store to another with all that belongs to it, once", "[copy]") {
  const test::StoreFile file, other;
  Store from(file.path()), into(other.path());
  const Instant epoch{};
  Names names;
  into.create_race(ended("before"));  // so that row numbers differ
  from.create_race(ended("a"));
  std::vector<Sample> samples(3000);
  for (Sample& sample : samples) {
    sample.unit = names.id("ops");
    sample.error = names.id("why");
  }
  from.add_samples("a", epoch, samples, names);
  from.add_metrics(
      "a", epoch,
      {{"m", 1.5, "ms", epoch, "node", "task", Json{{"x", 1}}}, {"n", {}, "", epoch, "", "", {}}});
  Results results;
  results.tasks.resize(1);
  results.tasks[0].task = "q";
  from.save_results("a", results);

  CHECK(into.copy_race(from, "a"));
  CHECK_FALSE(into.copy_race(from, "a"));
  CHECK(into.race("a").user_tags == ended("a").user_tags);
  CHECK(into.race("a").annotations == ended("a").annotations);
  CHECK(into.results("a").tasks[0].task == "q");
  Names read;
  const std::vector<Sample> copied = into.samples("a", std::nullopt, epoch, read);
  REQUIRE(copied.size() == 3000);
  CHECK(read.text(copied[2999].error) == "why");
  const std::vector<Metric> metrics = into.metrics("a", epoch);
  REQUIRE(metrics.size() == 2);
  CHECK(metrics[0].fields == Json{{"x", 1}});
  CHECK_FALSE(metrics[1].value);
}

TEST_CASE("a race that runs is not copied", "[copy]") {
  const test::StoreFile file, other;
  Store from(file.path()), into(other.path());
  RaceRecord race = ended("a");
  race.state = RaceState::running;
  from.create_race(race);
  CHECK_THROWS_WITH(into.copy_race(from, "a"), Catch::Contains("still running"));
}

}  // namespace pacenote::store::copy_test
