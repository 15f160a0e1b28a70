// Rally's own summaries, made by its functions (../shared/rally/vectors/summary).
#include "reporters/numbers.hpp"
#include "reporters/summary.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"
#include "tests/unit/reporters/vectors.hpp"

namespace pacenote::reporters::summary_vectors_test {

const Differences kDifferences({
    {"multi-cluster", {"all", "one cluster a race: --multi-cluster is refused"}},
    {"integers", {"csv", "results are doubles: a time of exactly 5 ms is written 5.0"}},
    {"task-names", {"markdown", "a bar in a task's name is escaped, so that each row has as many columns"}},
    {"no-throughput", {"error", "--show-in-report=all leaves missing throughput blank where Rally crashes"}},
});

/// Every warning of Rally's has a note with the same facts, and there is none besides.
void check_notes(const Json& warnings, const std::vector<std::string>& notes) {
  std::size_t own = 0;
  for (const std::string& note : notes) own += note.find("had only errors") != std::string::npos;
  REQUIRE(notes.size() - own == warnings.size());
  for (std::size_t i = 0; i < warnings.size(); ++i) {
    CHECK_THAT(notes[i], Catch::Contains(warnings[i]["task"].get<std::string>()));
    if (warnings[i]["kind"] == "error-rate") {
      CHECK_THAT(notes[i], Catch::Contains(warnings[i]["percent_text"].get<std::string>() + " %"));
    } else {
      const bool warmup = warnings[i]["cause"] == "ended in warm-up";
      CHECK_THAT(notes[i], Catch::Contains(warmup ? "warm-up" : "all of its requests failed"));
    }
  }
}

void check_variant(const std::string& id, const Json& expected, Results results) {
  SummaryOptions options;
  options.show = show_from(expected["show_in_report"]);
  options.processing_time = expected["show_processing_time"];
  Table table = summary(results, options);
  check_notes(expected["warnings"], table.notes);
  table.notes.clear();
  CHECK(table.rows.size() == expected["rows"].size());
  const std::string align = expected["numbers_align"];
  if (!kDifferences.lists(id, "markdown")) CHECK(written("markdown", table, align) == expected["markdown"]);
  if (!kDifferences.lists(id, "csv")) CHECK(written("csv", table, align) == expected["csv"]);
}

TEST_CASE("the summary is Rally's to the byte", "[summary_vectors]") {
  each_case("summary", kDifferences, [](const Json& one, const std::string& id) {
    const Results results = results_from_json(one["results"]);
    for (const Json& variant : one["variants"]) {
      INFO(variant["show_in_report"] << " " << variant["numbers_align"]);
      if (!variant.contains("error")) {
        check_variant(id, variant, results);
      } else {
        CHECK(kDifferences.lists(id, "error"));
        CHECK_FALSE(summary(results, {Show::all, false}).rows.empty());
      }
    }
  });
}

TEST_CASE("Rally's report of a real race is made from its race.json", "[summary_vectors]") {
  const auto folder = test::shared("rally/golden-real");
  if (!folder) return;
  const auto table = [&](const std::string& race) { return summary(golden_results(*folder, race), {}); };
  CHECK(written("markdown", table("gold-rally-a"), "decimal") ==
        test::read_file(*folder / "gold-rally-a-report.md"));
  CHECK(written("csv", table("gold-rally-b"), "decimal") ==
        test::read_file(*folder / "gold-rally-b-report.csv"));
}

TEST_CASE("Rally's report against a stub server is made from its race.json", "[summary_vectors]") {
  const auto folder = test::shared("rally/golden");
  if (!folder) return;
  const Table table = summary(results_from_json(test::read_json(*folder / "race.json")["results"]), {});
  CHECK(written("markdown", table, "decimal") == test::read_file(*folder / "report.md"));
}

}  // namespace pacenote::reporters::summary_vectors_test
