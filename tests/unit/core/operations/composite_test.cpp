#include "core/error.hpp"
#include "core/guard.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/core/operations/fixture.hpp"

namespace pacenote::composite_test {

using test::answer_of;

Json composite(const Json& requests) { return {{"operation-type", "composite"}, {"requests", requests}}; }

const Json kPing = {{"operation-type", "raw-request"}, {"name", "ping"}, {"path", "/"}};

TEST_CASE("each part of a composite is measured by itself", "[composite]") {
  test::OperationFixture f;
  f.cluster.script = {answer_of(200, "{}", std::chrono::milliseconds(20)),
                      answer_of(200, "{}", std::chrono::milliseconds(30))};
  const Json wait = {{"operation-type", "sleep"}, {"name", "rest"}, {"duration", 1}};
  const Outcome outcome = f.run(composite({kPing, wait, kPing}));
  REQUIRE(outcome.ok);
  REQUIRE(outcome.leaves.size() == 3);
  CHECK(outcome.leaves[0].end - outcome.leaves[0].begin == std::chrono::milliseconds(20));
  CHECK(outcome.leaves[1].end - outcome.leaves[1].begin == std::chrono::seconds(1));
  CHECK(outcome.leaves[2].end - outcome.leaves[2].begin == std::chrono::milliseconds(30));
  CHECK(outcome.leaves[2].operation == "ping");
  CHECK(outcome.weight.amount == 1);
}

TEST_CASE("a part that fails ends its composite", "[composite]") {
  test::OperationFixture f;
  f.cluster.script = {answer_of(200, "{}"), answer_of(500, "{}")};
  const Outcome outcome = f.run(composite({kPing, kPing, kPing}));
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.status == 500);
  CHECK(outcome.weight.amount == 0);
  CHECK(f.cluster.asked.size() == 2);
}

TEST_CASE("options of a part hold for its requests only", "[composite]") {
  test::OperationFixture f;
  Json hasty = kPing;
  hasty["request-timeout"] = 3;
  hasty["headers"] = {{"x", "y"}};
  f.run(composite({hasty, kPing}));
  REQUIRE(f.cluster.asked.size() == 2);
  CHECK(f.cluster.asked[0].options.timeout == std::chrono::seconds(3));
  CHECK(f.cluster.asked[0].options.headers.size() == 1);
  CHECK_FALSE(f.cluster.asked[1].options.timeout);
  CHECK(f.cluster.asked[1].options.headers.empty());
}

TEST_CASE("streams at the same time are refused, one after the other they run", "[composite]") {
  test::OperationFixture f;
  const Json stream = {{"stream", {kPing}}};
  Json params = composite({stream, stream});
  CHECK_THROWS_AS(f.run(params), UserError);
  CHECK(f.cluster.asked.empty());
  params["max-connections"] = 1;
  CHECK(f.run(params).leaves.size() == 2);
  CHECK(f.run(composite({stream, kPing, stream})).leaves.size() == 3);  // an operation parts the streams
}

TEST_CASE("what a composite's raw request deletes is known to the guard", "[composite]") {
  const Json remove = {{"operation-type", "raw-request"}, {"method", "DELETE"}, {"path", "/logs"}};
  Challenge challenge;
  Task task;
  task.operation = {"c", "composite", composite(Json::array({Json{{"stream", Json::array({remove})}}})), ""};
  challenge.schedule.emplace_back();
  challenge.schedule.back().tasks.push_back(task);
  const auto destroyed = destroyed_by(challenge, Track());
  REQUIRE(destroyed.size() == 1);
  CHECK(destroyed[0].name == "logs");
}

TEST_CASE("OpenSearch's points in time go by their own paths", "[composite]") {
  test::OperationFixture f;
  f.cluster.script = {answer_of(200, R"({"pit_id":"P"})"), answer_of(200, "{}"), answer_of(200, "{}")};
  const Json open = {{"operation-type", "create-point-in-time"}, {"name", "p"}, {"index", "a"}};
  const Json close = {{"operation-type", "delete-point-in-time"}, {"with-point-in-time-from", "p"}};
  const Json all = {{"operation-type", "delete-point-in-time"}};
  CHECK(f.run(composite({open, close, all})).ok);
  REQUIRE(f.cluster.asked.size() == 3);
  CHECK(f.cluster.asked[0].target == "/a/_search/point_in_time?keep_alive=1m");
  CHECK(f.cluster.asked[1].body == R"({"pit_id":["P"]})");
  CHECK(f.cluster.asked[2].target == "/_search/point_in_time/_all");
}

TEST_CASE("what can only be a part says so", "[composite]") {
  test::OperationFixture f;
  f.cluster.otherwise = answer_of(200, R"({"id":"P"})");
  CHECK_THROWS_AS(f.run({{"operation-type", "open-point-in-time"}, {"name", "p"}, {"index", "a"}}),
                  UserError);
}

}  // namespace pacenote::composite_test
