// Rally's own comparisons, made by its functions (../shared/rally/vectors/compare).
#include "reporters/comparison.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"
#include "tests/unit/reporters/vectors.hpp"

namespace pacenote::reporters::comparison_vectors_test {

const Differences kDifferences({
    {"multi-cluster", {"all", "one cluster a race: --multi-cluster is refused"}},
    {"better", {"csv", "results are doubles: exactly 30 ops/s are written 30.0"}},
    {"worse", {"csv", "results are doubles: exactly 900 docs/s are written 900.0"}},
});

std::string colour(Tone tone) {
  if (tone == Tone::neutral) return "neutral";
  return tone == Tone::better ? "green" : "red";
}

void check_colours(const Json& expected, const Table& table) {
  REQUIRE(expected.size() == table.rows.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Json both = expected[i].is_array() ? expected[i] : Json::array({expected[i], expected[i]});
    INFO(i);
    CHECK(both[0] == colour(table.rows[i][4].tone));
    CHECK(both[1] == colour(table.rows[i][6].tone));
  }
}

RaceRecord race_from(const Json& one, const char* key, const char* id) {
  RaceRecord race;
  race.id = id;
  race.started = WallTime(std::chrono::seconds(1454198400));
  race.challenge = "c";
  if (!one.contains(key)) return race;
  const Json& changes = one[key];
  if (changes.contains("challenge") && changes["challenge"].is_null()) race.challenge.clear();
  if (changes.contains("user-tags")) race.user_tags = changes["user-tags"];
  if (changes.contains("car")) race.car = "4gheap+ea";
  return race;
}

void check_variant(const Json& one, const Json& variant) {
  const Json& expected = variant["tables"][0];
  const std::string align = variant["numbers_align"];
  const Table table = comparison(results_from_json(one["baseline"]), results_from_json(one["contender"]),
                                 {variant["show_processing_time"], true});
  CHECK(table.rows.size() == expected["rows"].size());
  CHECK(written("markdown", table, align) == expected["markdown"]);
  if (!kDifferences.lists(one["id"], "csv")) CHECK(written("csv", table, align) == expected["csv"]);
  if (expected.contains("markdown_console")) {
    CHECK(written("markdown", table, align, true) == expected["markdown_console"]);
  }
  check_colours(expected["colours"], table);
  CHECK(Json(comparison_head(race_from(one, "baseline_race", "base"),
                             race_from(one, "contender_race", "cont"))) == variant["head"]);
}

TEST_CASE("the rows that Rally has in a comparison are Rally's to the byte", "[comparison_vectors]") {
  each_case("compare", kDifferences, [](const Json& one, const std::string&) {
    for (const Json& variant : one["variants"]) check_variant(one, variant);
  });
}

TEST_CASE("Rally's comparison of two real races is made from their race.json", "[comparison_vectors]") {
  const auto folder = test::shared("rally/golden-real");
  if (!folder) return;
  const Table table = comparison(golden_results(*folder, "gold-rally-a"),
                                 golden_results(*folder, "gold-rally-b"), {false, true});
  CHECK(written("markdown", table, "decimal") == test::read_file(*folder / "rally-compare-file.md"));
  CHECK(written("csv", table, "decimal") == test::read_file(*folder / "rally-compare-file.csv"));
}

}  // namespace pacenote::reporters::comparison_vectors_test
