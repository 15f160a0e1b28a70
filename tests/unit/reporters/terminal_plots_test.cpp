#include "reporters/terminal_plots.hpp"

#include <sstream>

#include "reporters/numbers.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::reporters::terminal_plots_test {

TaskSeries series(const std::string& name, std::size_t points, double last_nines) {
  TaskSeries out{name, "ops/s", 0, {}, {}};
  for (std::size_t i = 0; i < points; ++i) {
    SeriesPoint point;
    point.at_s = static_cast<double>(i) + 0.5;
    point.per_second = i == 1 ? 0 : 100. * static_cast<double>(i + 1) / static_cast<double>(points);
    out.points.push_back(point);
  }
  for (double nines = 0; nines < last_nines; nines += 0.1)
    out.curve.push_back({nines, 1 + 100 * nines, 1 + nines});
  out.curve.push_back({last_nines, 1 + 100 * last_nines, 2});
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

TEST_CASE("a task has a spark line and a curve, none wider than the terminal", "[terminal_plots]") {
  const std::string text = terminal_plots({series("q", 20, 3)}, 0, 80);
  const auto lines = lines_of(text);
  REQUIRE(lines.size() == 9);
  CHECK(lines[3] == "q");
  CHECK_THAT(lines[4], Catch::StartsWith("  ▁ ▂▂▂") && Catch::Contains("▇▇███ ") &&
                           Catch::EndsWith("up to 100 ops/s, 20 s"));
  CHECK_THAT(lines[5], Catch::EndsWith("301 ms"));
  CHECK_THAT(lines[7], Catch::EndsWith("1 ms") && Catch::Contains("⣸"));
  CHECK_THAT(lines[8], Catch::StartsWith("  0   50") && Catch::Contains("90") && Catch::Contains("99") &&
                           Catch::EndsWith("percent"));
  for (const std::string& line : lines) CHECK(width(line) <= 80);
  for (const std::string& line : lines_of(terminal_plots({series("q", 20, 6)}, 0, 50)))
    CHECK(width(line) <= 50);
}

TEST_CASE("no room, no plot; many tasks are counted; names do not run", "[terminal_plots]") {
  CHECK(terminal_plots({series("q", 20, 3)}, 0, 49).empty());
  CHECK(plot_columns(49) == 0);
  CHECK(plot_columns(50) == 20);
  CHECK(plot_columns(500) == 60);
  CHECK(terminal_plots({}, 0, 80).empty());
  CHECK(terminal_plots({{"q", "", 0, {}, {}}}, 0, 80).empty());
  const std::string text = terminal_plots({series("\x1b[2Jq\n", 1, 1)}, 3, 80);
  CHECK_THAT(text, Catch::Contains("\n?[2Jq?\n") && Catch::EndsWith("3 more tasks: `pacenote report "
                                                                    "--format=html` shows all\n"));
}

TEST_CASE("a flat series and times of zero are drawn", "[terminal_plots]") {
  TaskSeries flat = series("q", 5, 2);
  for (SeriesPoint& point : flat.points) point.per_second = 0;
  for (CurvePoint& point : flat.curve) point.latency_ms = 0;
  CHECK_THAT(terminal_plots({flat}, 0, 80), Catch::Contains("up to 0 ops/s") && Catch::Contains("⣀⣀⣀"));
}

}  // namespace pacenote::reporters::terminal_plots_test
