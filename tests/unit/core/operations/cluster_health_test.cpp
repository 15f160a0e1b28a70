// Case O14: a cluster that is not ready.
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/unit/core/operations/fixture.hpp"

namespace pacenote::cluster_health_test {

using test::answer_of;
using test::Asked;
using test::Reply;

Json waiting_for_green(bool until_success) {
  Json params = {{"operation-type", "cluster-health"},
                 {"request-params", {{"wait_for_status", "green"}, {"wait_for_no_relocating_shards", true}}}};
  if (until_success) params["retry-until-success"] = true;
  return params;
}

std::string health(const char* status, int relocating, int unassigned, bool timed_out) {
  return Json{{"status", status},
              {"timed_out", timed_out},
              {"relocating_shards", relocating},
              {"unassigned_shards", unassigned}}
      .dump();
}

struct Fixture : test::OperationFixture {
  Fixture() { task = "check-cluster-health"; }

  /// Yellow until `green` has passed; waits as long as it is asked to, as a server does.
  void yellow_until(Duration green) {
    const Instant end = clock.now() + green;
    cluster.answer = [this, end](const Asked& asked) {
      const auto at = asked.target.find("timeout=");
      const Duration patience = from_seconds(std::stod(asked.target.substr(at + 8)));
      if (clock.now() + patience < end) return answer_of(408, health("yellow", 0, 3, true), patience);
      return answer_of(200, health("green", 0, 0, false), std::max(end - clock.now(), Duration(1)));
    };
  }
};

bool about(Duration took, double wanted_s, double margin_s) {
  return std::abs(seconds(took) - wanted_s) <= margin_s;
}

constexpr auto kForEver = std::chrono::hours(24 * 365);

TEST_CASE("a health wait passes as soon as the cluster is green", "[cluster_health]") {
  const bool until_success = GENERATE(false, true);
  Fixture f;
  f.yellow_until(std::chrono::seconds(6));
  const Instant begin = f.clock.now();
  const Outcome outcome = f.run(waiting_for_green(until_success));
  CHECK(outcome.ok);
  CHECK(about(f.clock.now() - begin, 6.0, 0.01));
  REQUIRE(f.notes.infos.size() == 1);
  CHECK(f.notes.infos[0] ==
        "check-cluster-health: still waiting after 5 s: wanted green, is yellow, 3 unassigned shards");
}

TEST_CASE("a health wait that cannot end gives up when the server would have", "[cluster_health]") {
  Fixture f;
  f.yellow_until(kForEver);
  const Instant begin = f.clock.now();
  const Outcome outcome = f.run(waiting_for_green(false));
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.error == "wanted green, is yellow, 3 unassigned shards");
  CHECK(outcome.status == 408);
  CHECK(outcome.weight.amount == 0);
  CHECK(about(f.clock.now() - begin, 30.0, 0.01));
  CHECK(f.notes.infos.size() == 5);
}

TEST_CASE("the task's own time-out ends a health wait", "[cluster_health]") {
  Fixture f;
  f.yellow_until(kForEver);
  const Instant begin = f.clock.now();
  Json params = waiting_for_green(false);
  SECTION("of the request") { params["request-timeout"] = 12; }
  SECTION("of the server") { params["request-params"]["timeout"] = "12s"; }
  CHECK(f.run(params).error == "wanted green, is yellow, 3 unassigned shards");
  CHECK(seconds(f.clock.now() - begin) >= 12);
  CHECK(seconds(f.clock.now() - begin) < 18);
}

TEST_CASE("retry-until-success waits for health ten minutes, or retry-timeout", "[cluster_health]") {
  Fixture f;
  f.yellow_until(kForEver);
  const Instant begin = f.clock.now();
  Json params = waiting_for_green(true);
  SECTION("ten minutes") {
    CHECK_FALSE(f.run(params).ok);
    CHECK(about(f.clock.now() - begin, 600.0, 6.0));
    CHECK(f.notes.infos.size() >= 100);
  }
  SECTION("its own time-out") {
    params["retry-timeout"] = 20;
    CHECK_FALSE(f.run(params).ok);
    CHECK(about(f.clock.now() - begin, 20.0, 6.0));
  }
}

TEST_CASE("relocating shards are named", "[cluster_health]") {
  Fixture f;
  f.cluster.otherwise = answer_of(200, health("green", 2, 0, true), std::chrono::seconds(5));
  const Outcome outcome = f.run(waiting_for_green(false));
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.error == "green, but 2 shards are relocating");
  CHECK(outcome.error_type == "condition");
  CHECK(outcome.meta == Json{{"cluster-status", "green"}, {"relocating-shards", 2}});
}

TEST_CASE("red without any shard hints at an index that is not there", "[cluster_health]") {
  Fixture f;
  f.cluster.otherwise = answer_of(408, health("red", 0, 0, true), std::chrono::seconds(5));
  CHECK(f.run(waiting_for_green(false)).error ==
        "wanted green, is red without any shard: does the index exist?");
}

TEST_CASE("the health of one index is asked for by its name", "[cluster_health]") {
  Fixture f;
  f.cluster.otherwise = answer_of(200, health("green", 0, 0, false));
  Json params = waiting_for_green(false);
  params["index"] = "logs";
  CHECK(f.run(params).ok);
  CHECK(f.cluster.asked[0].target ==
        "/_cluster/health/logs?timeout=5s&wait_for_no_relocating_shards=true&wait_for_status=green");
}

TEST_CASE("a server that does not wait is not asked in a busy loop", "[cluster_health]") {
  Fixture f;
  f.cluster.otherwise = answer_of(200, health("yellow", 0, 1, true));
  CHECK(f.run(waiting_for_green(false)).error == "wanted green, is yellow, 1 unassigned shard");
  CHECK(f.cluster.asked.size() <= 62);
}

TEST_CASE("a stopped step ends a health wait", "[cluster_health]") {
  const bool until_success = GENERATE(false, true);
  Fixture f;
  f.yellow_until(kForEver);
  f.stop.request(StopReason::user);
  CHECK_FALSE(f.run(waiting_for_green(until_success)).ok);
  CHECK(f.cluster.asked.size() == 1);
}

TEST_CASE("an answer that is no health is a failed wish, not a crash", "[cluster_health]") {
  Fixture f;
  f.cluster.otherwise = answer_of(200, GENERATE("", "[]", "{\"status\":7}", "no json"));
  const Outcome outcome = f.run(waiting_for_green(false));
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.error == "the answer does not tell the cluster's health");
}

}  // namespace pacenote::cluster_health_test
