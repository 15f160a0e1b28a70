#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/core/operations/fixture.hpp"

namespace pacenote::paging_test {

using test::answer_of;

Json paginated() {
  return {{"operation-type", "paginated-search"},
          {"index", "x"},
          {"pages", 2},
          {"results-per-page", 1},
          {"body", {{"sort", {"n"}}}}};
}

/// One hit whose last members are as given.
std::string page(const std::string& tail) {
  return R"({"took":1,"timed_out":false,"hits":{"total":{"value":9,"relation":"eq"},"hits":[)" + tail + "]}}";
}

TEST_CASE("the next page begins after the last hit's sort values", "[paging]") {
  const auto [tail, after] = GENERATE(table<std::string, std::string>(
      {{R"({"_source":{"sort":[7]},"sort":[1,"a"]})", R"([1,"a"])"},
       {R"({"_source":{},"sort":[ "]\"", [2] ] })", R"(["]\"",[2]])"},
       {R"({"sort":[3],"_source":{"sort":[7],"more":1}})", ""},  // values of the document are none
       {R"({"_id":"1"})", ""}}));
  test::OperationFixture f;
  f.cluster.otherwise = answer_of(200, page(tail));
  const Outcome outcome = f.run(paginated());
  INFO(tail);
  CHECK(outcome.ok);
  if (after.empty()) {
    CHECK(f.cluster.asked.size() == 1);
  } else {
    REQUIRE(f.cluster.asked.size() == 2);
    CHECK(parse_json(f.cluster.asked[1].body).at("search_after") == parse_json(after));
    CHECK(outcome.weight.amount == 2);
  }
}

TEST_CASE("pages that cannot be are mistakes", "[paging]") {
  test::OperationFixture f;
  for (const Json& pages : {Json(0), Json(-1), Json("some"), Json(1.5), Json()}) {
    Json params = paginated();
    params["pages"] = pages;
    CHECK_THROWS_AS(f.run(params), UserError);
    params["operation-type"] = "scroll-search";
    CHECK_THROWS_AS(f.run(params), UserError);
  }
  Json params = paginated();
  params.erase("results-per-page");
  CHECK_THROWS_AS(f.run(params), UserError);
  CHECK(f.cluster.asked.empty());
}

TEST_CASE("a scroll is closed even after a page that failed", "[paging]") {
  test::OperationFixture f;
  const std::string first =
      R"({"_scroll_id":"S","took":1,"hits":{"total":{"value":9,"relation":"eq"},"hits":[{"_id":"1"}]}})";
  f.cluster.script = {answer_of(200, first), answer_of(503, "{}"), answer_of(200, "{}")};
  const Outcome outcome =
      f.run({{"operation-type", "scroll-search"}, {"index", "x"}, {"pages", "all"}, {"results-per-page", 1}});
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.status == 503);
  REQUIRE(f.cluster.asked.size() == 3);
  CHECK(f.cluster.asked[2].method == "DELETE");
}

}  // namespace pacenote::paging_test
