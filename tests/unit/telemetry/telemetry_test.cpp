#include "telemetry/telemetry.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/notes.hpp"

namespace pacenote::telemetry_test {

using Catch::Contains;
using telemetry::check;
using telemetry::Options;

TEST_CASE("parameters of telemetry are checked before anything happens", "[telemetry]") {
  test::KeptNotes notes;
  CHECK_NOTHROW(check({{"node-stats"}, {{"node-stats-sample-interval", 2}}}, notes));
  CHECK(notes.warnings.empty());
  CHECK_THROWS_WITH(check({{"node-stats"}, {{"node-stats-sample-intervall", 2}}}, notes),
                    Contains("[node-stats-sample-intervall]"));
  CHECK_THROWS_WITH(check({{}, {{"ccr-stats-indices", "a"}}}, notes), Contains("[ccr-stats-indices]"));
  CHECK_THROWS_WITH(check({{"node-stats"}, {{"node-stats-sample-interval", -1}}}, notes),
                    Contains("positive number of seconds"));
  CHECK_THROWS_WITH(check({{"nod-stats"}, Json::object()}, notes), Contains("nod-stats"));
}

TEST_CASE("a parameter of a device that is not on is warned of", "[telemetry]") {
  test::KeptNotes notes;
  check({{}, {{"node-stats-include-fs", false}}}, notes);
  REQUIRE(notes.warnings.size() == 1);
  CHECK_THAT(notes.warnings.front(),
             Contains("[node-stats-include-fs]") && Contains("--telemetry=node-stats"));
}

}  // namespace pacenote::telemetry_test
