// Deleting changes a setting of the cluster for a while; whatever fails, it must be put back.
#include "core/error.hpp"
#include "core/guard.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/core/operations/fixture.hpp"

namespace pacenote::deletion_test {

using test::answer_of;
using test::Asked;

const char* const kBefore = R"({"persistent":{},"transient":{"action.destructive_requires_name":"true"}})";

struct Fixture : test::OperationFixture {
  std::string setting = "true";
  Fixture() {
    track.indices = {{"a", Json::object()}, {"b", Json::object()}};
    track.composable_templates = {{"c", "c-*", Json::object(), true}};
    cluster.answer = [this](const Asked& asked) {
      const bool lost = cluster.asked.size() == cluster.fail_at + 1;
      if (asked.method == "PUT" && !lost)
        setting = to_text(parse_json_strictly(asked.body)["transient"]["action.destructive_requires_name"]);
      return asked.method == "GET" ? answer_of(200, kBefore) : answer_of(200, "{}");
    };
  }
};

TEST_CASE("a deletion that fails at any request puts the setting back", "[deletion]") {
  const char* type = GENERATE("delete-index", "delete-composable-template");
  for (std::size_t n = 0;; ++n) {
    Fixture f;
    f.cluster.fail_at = n;
    const Outcome outcome = f.run({{"operation-type", type}});
    if (f.cluster.asked.size() <= n) {
      CHECK(outcome.ok);
      CHECK(outcome.weight.amount > 0);
      break;
    }
    INFO(type << " fails at request " << n << " of " << f.cluster.asked.size());
    CHECK_FALSE(outcome.ok);
    CHECK(outcome.weight.amount == 0);
    const bool restoring_failed = f.cluster.asked.back().method == "PUT" && n + 1 == f.cluster.asked.size();
    if (!restoring_failed) CHECK(f.setting.find("true") != std::string::npos);
  }
}

TEST_CASE("creating stops at the first index that fails", "[deletion]") {
  Fixture f;
  f.cluster.fail_at = 0;
  const Outcome outcome = f.run({{"operation-type", "create-index"}});
  CHECK_FALSE(outcome.ok);
  CHECK(f.cluster.asked.size() == 1);
}

TEST_CASE("an operation tells what it creates", "[deletion]") {
  const Fixture f;
  const auto& type = Registry<OperationType>::get("type", "create-index");
  using List = std::vector<std::string>;
  CHECK(type.creates({"op", "create-index", Json::object(), ""}, f.track) == List{"a", "b"});
  CHECK(type.creates({"op", "create-index", {{"index", "b"}}, ""}, f.track) == List{"b"});
  CHECK(type.creates({"op", "create-index", Json::object(), "own-source"}, f.track).empty());
}

TEST_CASE("a deletion whose target a custom parameter source chooses may destroy anything", "[deletion]") {
  const char* type = GENERATE("delete-index", "delete-data-stream", "delete-index-template");
  const auto destroyed =
      Registry<OperationType>::get("type", type).destroys({"op", type, Json::object(), "own"}, Track());
  REQUIRE(destroyed.size() == 1);
  CHECK(destroyed[0].name == "*");
}

}  // namespace pacenote::deletion_test
