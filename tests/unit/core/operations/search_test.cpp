#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/core/operations/fixture.hpp"

namespace pacenote::search_test {

using test::answer_of;

Json search(const char* index) {
  return {
      {"operation-type", "search"}, {"index", index}, {"body", {{"query", {{"match_all", Json::object()}}}}}};
}

TEST_CASE("the server's own time is found without parsing the answer", "[search]") {
  test::OperationFixture f;
  f.cluster.otherwise =
      answer_of(200, R"({"took":17,"timed_out":false,"hits":{)");  // cut off: nobody parsed it
  const Outcome outcome = f.run(search("x"));
  CHECK(outcome.ok);
  CHECK(outcome.took_ms == 17);
  CHECK(outcome.meta.is_null());
}

TEST_CASE("an answer without took has none", "[search]") {
  test::OperationFixture f;
  f.cluster.otherwise = answer_of(200, GENERATE("{}", "", R"({"took":"x"})", R"({"took":)"));
  CHECK_FALSE(f.run(search("x")).took_ms);
}

TEST_CASE("details are read up to the hits only", "[search]") {
  test::OperationFixture f;
  f.cluster.otherwise = answer_of(
      200, R"({"took":2,"timed_out":false,"_shards":{"total":3,"successful":3,"skipped":0,"failed":0},)"
           R"("hits":{"total":{"value":9,"relation":"gte"},"hits":[{"broken)");
  Json params = search("x");
  params["detailed-results"] = true;
  const Outcome outcome = f.run(params);
  CHECK(outcome.meta["hits"] == 9);
  CHECK(outcome.meta["hits_relation"] == "gte");
  CHECK(outcome.meta["shards"]["total"] == 3);
  CHECK_FALSE(outcome.meta.contains("took"));  // its own field: meta texts are interned
}

TEST_CASE("details of strange answers are zeros", "[search]") {
  test::OperationFixture f;
  f.cluster.otherwise =
      answer_of(200, GENERATE("", "[1]", R"({"hits":3,"_shards":[],"_clusters":{"details":1}})",
                              R"({"hits":{"total":"many","hits":{}},"timed_out":1})"));
  Json params = search("x");
  params["detailed-results"] = true;
  CHECK(f.run(params).meta["hits"] == 0);
}

TEST_CASE("names are percent-encoded, lists and wildcards stay", "[search]") {
  test::OperationFixture f;
  f.run(search("<logs-{now/d}>,b*"));
  CHECK(f.cluster.asked[0].target == "/%3Clogs-%7Bnow%2Fd%7D%3E,b*/_search");
}

TEST_CASE("a search without a target needs exactly one index in the track", "[search]") {
  test::OperationFixture f;
  f.track.indices = {{"a", Json::object()}, {"b", Json::object()}};
  CHECK_THROWS_AS(f.run({{"operation-type", "search"}}), UserError);
  f.track.indices.pop_back();
  f.run({{"operation-type", "search"}});
  CHECK(f.cluster.asked[0].target == "/a/_search");
}

TEST_CASE("a mistake in a search names operation and parameter", "[search]") {
  test::OperationFixture f;
  Json params = search("x");
  params["cache"] = "perhaps";
  CHECK_THROWS_WITH(f.run(params), "operation [op]: parameter [cache] must be true or false, is \"perhaps\"");
}

TEST_CASE("a custom parameter source may change every request", "[search]") {
  test::FakeClock clock;
  test::ScriptedTransport cluster(clock);
  const Operation operation{"op", "search", {{"operation-type", "search"}}, "my-source"};
  const auto runner = make_runner(operation);
  Stop stop;
  test::KeptNotes notes;
  Bench bench{cluster, clock, stop, notes, "t"};
  Call call;
  Json params;
  call.params = &params;
  for (const char* index : {"a", "b"}) {
    params = search(index);
    test::run(runner->run(bench, call));
  }
  CHECK(cluster.asked[0].target == "/a/_search");
  CHECK(cluster.asked[1].target == "/b/_search");
}

}  // namespace pacenote::search_test
