#include "reporters/series.hpp"

#include "reporters/html/html.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::reporters::series_test {

std::vector<Sample> requests(int count, double gap_s) {
  std::vector<Sample> out;
  for (int i = 0; i < count; ++i) {
    Sample sample;
    sample.due = sample.begin = sample.sent = Instant{} + from_seconds(10 + i * gap_s);
    sample.received = sample.end = sample.sent + std::chrono::milliseconds(1 + i % 10);
    sample.ok = i % 10 != 0;
    out.push_back(sample);
  }
  return out;
}

TEST_CASE("a series has the work, the times and the errors of each stretch", "[series]") {
  const TaskSeries series = task_series("q", "ops/s", requests(1000, 0.01), Instant{}, 20);
  REQUIRE(series.points.size() == 20);
  CHECK(series.start_s == 10);
  double work = 0;
  std::uint64_t errors = 0;
  for (const SeriesPoint& point : series.points) {
    CHECK(point.per_second == Approx(100).epsilon(0.05));
    CHECK(point.max_ms == 10);
    work += point.per_second * (9.999 / 20);
    errors += point.errors;
  }
  CHECK(work == Approx(1000).epsilon(0.001));
  CHECK(errors == 100);
}

TEST_CASE("the curve ends at the last nine that was measured", "[series]") {
  const TaskSeries series = task_series("q", "ops/s", requests(1000, 0.01), Instant{}, 20);
  CHECK(series.curve.front().nines == 0);
  CHECK(series.curve.front().latency_ms == 1);
  CHECK(series.curve.back().nines == Approx(3));
  CHECK(series.curve.back().latency_ms == 10);
  CHECK(task_series("q", "", {}, Instant{}, 20).points.empty());
  CHECK(task_series("q", "", requests(1, 1), Instant{}, 20).points.size() == 1);
}

TEST_CASE("figures of telemetry become series where they change", "[series]") {
  std::vector<Metric> metrics;
  for (int i = 0; i < 100; ++i) {
    const Instant at = Instant{} + std::chrono::seconds(i);
    metrics.push_back({"node-stats", {}, "", at, "n1", "", Json{{"heap", i}, {"limit", 5}, {"name", "x"}}});
    metrics.push_back({"once", 1.0, "ms", at, "", "", {}});
  }
  const auto series = metric_series(metrics, Instant{}, 25);
  REQUIRE(series.size() == 1);
  CHECK(series[0].name == "node-stats heap");
  CHECK(series[0].node == "n1");
  CHECK(series[0].points.size() == 25);
}

TEST_CASE("no text of a race is markup in the HTML report", "[html]") {
  const std::string evil = "</script><img src=x onerror=alert(1)>'\"&";
  HtmlRace race;
  race.side.race.id = race.side.race.track = evil;
  race.side.race.user_tags = {{evil, evil}};
  race.side.race.annotations = race.side.race.warnings = {evil};
  TaskResult task;
  task.task = task.throughput.unit = evil;
  task.samples = 5;
  task.overall_throughput = 1;
  task.errors = {{evil, 1}};
  race.side.results.tasks = {task};
  race.tasks = {task_series(evil, evil, requests(100, 0.1), Instant{}, 10)};
  race.metrics = {{evil, evil, evil, {{0, 1}, {1, 2}, {2, 3}}}};
  const std::string text = html_report({race}, nullptr);
  CHECK(text.find("<img") == std::string::npos);
  CHECK(text.find("&lt;img src=x") != std::string::npos);
  CHECK(text.find("\\u003cimg src=x") != std::string::npos);
}

}  // namespace pacenote::reporters::series_test
