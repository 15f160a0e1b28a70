#include "tests/support/catch.hpp"
#include "tests/unit/core/operations/fixture.hpp"

namespace pacenote::force_merge_test {

using test::answer_of;

const Json kPolling = {{"operation-type", "force-merge"}, {"index", "x"}, {"mode", "polling"}};

test::Reply root(const char* version) { return answer_of(200, version); }

TEST_CASE("OpenSearch merges in the background since 2.7", "[force_merge]") {
  const auto [version, background] = GENERATE(
      table<const char*, bool>({{R"({"version":{"distribution":"opensearch","number":"2.7.0"}})", true},
                                {R"({"version":{"distribution":"opensearch","number":"2.6.9"}})", false},
                                {R"({"version":{"number":"7.10.2"}})", false},
                                {R"({"version":{"number":"9.0.0"}})", true},
                                {R"({"version":{"number":7}})", false},
                                {R"([])", false}}));
  test::OperationFixture f;
  f.cluster.script = {root(version), answer_of(200, R"({"task":"n:1"})"),
                      answer_of(200, R"({"completed":true})")};
  CHECK(f.run(kPolling).ok);
  CHECK((f.cluster.asked[1].target == "/x/_forcemerge?wait_for_completion=false") == background);
  CHECK(f.cluster.asked.size() == (background ? 3 : 2));
}

TEST_CASE("a background merge that failed is a failed request", "[force_merge]") {
  test::OperationFixture f;
  f.cluster.script = {root(R"({"version":{"number":"8.15.0"}})"), answer_of(200, R"({"task":"n:1"})"),
                      answer_of(200, R"({"completed":true,"error":{"type":"io","reason":"disk full"}})")};
  const Outcome outcome = f.run(kPolling);
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.error == "io: disk full");
  CHECK(outcome.weight.amount == 0);
}

TEST_CASE("a stopped step ends the polling", "[force_merge]") {
  test::OperationFixture f;
  f.cluster.script = {root(R"({"version":{"number":"8.15.0"}})"), answer_of(200, R"({"task":"n:1"})")};
  f.cluster.otherwise = answer_of(200, R"({"completed":false})");
  f.stop.request(StopReason::user);
  f.run(kPolling);
  CHECK(f.cluster.asked.size() == 2);
}

}  // namespace pacenote::force_merge_test
