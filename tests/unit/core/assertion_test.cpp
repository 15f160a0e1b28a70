#include "core/assertion.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/core/operations/fixture.hpp"

namespace pacenote::assertion_test {

/// Answers the same each time.
class Fixed final : public Runner {
 public:
  explicit Fixed(Outcome outcome) : outcome_(std::move(outcome)) {}
  Async<Outcome> run(Bench&, const Call&) override { co_return outcome_; }

 private:
  Outcome outcome_;
};

Outcome found(bool ok = true) {
  Outcome out;
  out.ok = ok;
  out.weight = {5, "docs"};
  out.took_ms = 12;
  out.meta = {{"hits", 3}, {"shards", {{"failed", 0}}}, {"relation", "eq"}};
  return out;
}

Outcome held(const Json& assertions, Outcome outcome = found()) {
  const Operation operation{"q", "search", {{"assertions", assertions}}, ""};
  const auto runner = asserting(std::make_unique<Fixed>(std::move(outcome)), operation);
  test::FakeClock clock;
  test::ScriptedTransport cluster(clock);
  Stop stop;
  test::KeptNotes notes;
  Bench bench{cluster, clock, stop, notes, "q"};
  const Call call;
  return test::run(runner->run(bench, call));
}

Json assertion(const char* property, const char* condition, Json value) {
  return Json::array({{{"property", property}, {"condition", condition}, {"value", std::move(value)}}});
}

TEST_CASE("an assertion is held against the meta and what stands beside it", "[assertion]") {
  for (const auto& [property, condition, value] :
       {std::tuple("hits", ">", Json(2)), std::tuple("hits", ">=", Json(3)),
        std::tuple("hits", "<", Json(3.5)), std::tuple("shards.failed", "<=", Json(0)),
        std::tuple("relation", "==", Json("eq")), std::tuple("weight", "==", Json(5)),
        std::tuple("took", "<", Json(13)), std::tuple("unit", "==", Json("docs"))}) {
    INFO(property << condition << to_text(value));
    CHECK(held(assertion(property, condition, value)).ok);
  }
}

TEST_CASE("an assertion that fails makes the request a failure that ends the race", "[assertion]") {
  const Outcome outcome = held(assertion("hits", ">", 3));
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.fatal);
  CHECK(outcome.error == "[hits] is 3, the track asserts > 3");
  CHECK(held(assertion("shards.gone", "==", 0)).error ==
        "[shards.gone] is null, the track asserts == 0; there are hits, shards, relation, weight, unit, "
        "success, took");
  CHECK_FALSE(held(assertion("relation", ">", 1)).ok);
  CHECK_FALSE(held(assertion("hits.deeper", "<", 1)).ok);
}

TEST_CASE("a request that failed anyway is not asserted", "[assertion]") {
  CHECK_FALSE(held(assertion("hits", ">", 3), found(false)).fatal);
}

TEST_CASE("assertions that cannot be read are found before the race", "[assertion]") {
  CHECK_THROWS_WITH(held(assertion("hits", "~", 3)),
                    Catch::Contains("[condition] of an assertion cannot be ~"));
  CHECK_THROWS_WITH(held(Json{{"property", "hits"}}), Catch::Contains("must be a list"));
  CHECK_THROWS_WITH(held(Json::array({1})), Catch::Contains("must be a list of objects"));
  CHECK_THROWS_WITH(held(Json::array({{{"property", "hits"}}})), Catch::Contains("[condition] is missing"));
}

}  // namespace pacenote::assertion_test
