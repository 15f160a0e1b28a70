#include "reporters/series.hpp"

#include <algorithm>
#include <cmath>

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

/// In blocks of a hundred, as a store gives them.
SampleBlocks blocks(std::vector<Sample> samples) {
  return [samples = std::move(samples)](const std::function<void(std::span<const Sample>)>& use) {
    for (std::size_t i = 0; i < samples.size(); i += 100)
      use(std::span(samples).subspan(i, std::min<std::size_t>(100, samples.size() - i)));
  };
}

TEST_CASE("a series has the work, the times and the errors of each stretch", "[series]") {
  const TaskSeries series = task_series("q", "ops/s", blocks(requests(1000, 0.01)), Instant{}, 20);
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
  const TaskSeries series = task_series("q", "ops/s", blocks(requests(1000, 0.01)), Instant{}, 20);
  CHECK(series.curve.front().nines == 0);
  CHECK(series.curve.front().latency_ms == 1);
  CHECK(series.curve.back().nines == Approx(3));
  CHECK(series.curve.back().latency_ms == 10);
  CHECK(task_series("q", "", blocks({}), Instant{}, 20).points.empty());
  CHECK(task_series("q", "", blocks(requests(1, 1)), Instant{}, 20).points.size() == 1);
}

TEST_CASE("figures of telemetry become series where they change", "[series]") {
  std::vector<Metric> metrics;
  for (int i = 0; i < 100; ++i) {
    const Instant at = Instant{} + std::chrono::seconds(i);
    metrics.push_back({"node-stats",
                       {},
                       "",
                       at,
                       "n1",
                       "",
                       Json{{"heap", i}, {"limit", 5}, {"name", "x"}, {"fs_timestamp", i}}});
    metrics.push_back({"once", 1.0, "ms", at, "", "", {}});
  }
  const auto series = metric_series(metrics, Instant{}, 25);
  REQUIRE(series.size() == 1);
  CHECK(series[0].name == "node-stats heap");
  CHECK(series[0].node == "n1");
  CHECK(series[0].points.size() == 25);
}

/// `count` requests of which none is kept: made anew, block by block.
SampleBlocks many(std::size_t count) {
  return [count](const std::function<void(std::span<const Sample>)>& use) {
    std::vector<Sample> block(8192);
    for (std::size_t i = 0; i < count; i += block.size()) {
      for (std::size_t k = 0; k < block.size(); ++k) {
        block[k].due = block[k].begin = block[k].sent = Instant{} + std::chrono::microseconds(20 * (i + k));
        block[k].received = block[k].end = block[k].sent + std::chrono::microseconds(200 + (i + k) % 1000);
      }
      use(block);
    }
  };
}

HtmlRace race_of_tasks(std::size_t tasks, const std::string& name) {
  HtmlRace race;
  race.side.race.id = "r";
  const std::vector<double> percentiles{50, 90, 99, 99.9, 99.99, 100};
  TaskSeries series =
      task_series("", "docs/s", blocks(requests(1000, 0.1)), Instant{}, html_points(tasks));  // of each task
  for (std::size_t i = 0; i < tasks; ++i) {
    TaskResult task;
    task.task = name + std::to_string(i);
    task.samples = 10'000;
    task.overall_throughput = task.throughput.min = task.throughput.mean = task.throughput.median =
        task.throughput.max = 1234.5678;
    task.throughput.unit = "docs/s";
    for (const double p : percentiles) {
      task.latency.percentiles.emplace_back(p, 1.2345678 * p);
      task.latency.intervals.emplace_back(p, statistics::Interval{1, 2});
    }
    task.service_time = task.took = task.latency;
    race.side.results.tasks.push_back(task);
    series.task = task.task;
    race.tasks.push_back(series);
  }
  return race;
}

TEST_CASE("the HTML report stays below 1 MB, whatever the race", "[html]") {
  const auto [tasks, name] = GENERATE(table<std::size_t, std::string>(
      {{1, "q"}, {30, "q"}, {300, std::string(100, 'n')}, {300, std::string(1'000, '<')}, {3'000, "task"}}));
  const HtmlRace race = race_of_tasks(tasks, name);
  const std::string text = html_report({race}, nullptr);
  INFO(tasks << " tasks: " << text.size());
  CHECK(text.size() < 1'000'000);
  CHECK((text.find("more than 1 MB") != std::string::npos) == (tasks > 30));
  CHECK(text.find("1234.57") != std::string::npos);
  std::vector<HtmlRace> two{race, race};
  Table comparison;
  comparison.header = {"Metric", "Task"};
  for (std::size_t i = 0; i < 30 * tasks; ++i) comparison.rows.push_back({Cell("p99 latency"), Cell(name)});
  CHECK(html_report(two, &comparison).size() < 1'000'000);
}

TEST_CASE("millions of samples make no larger report than thousands", "[html]") {
  HtmlRace race = race_of_tasks(1, "q");
  race.tasks = {task_series("q", "docs/s", many(3'000'000), Instant{}, html_points(1))};
  REQUIRE(race.tasks[0].points.size() == 200);
  CHECK(race.tasks[0].points[100].per_second == Approx(50'000).epsilon(0.01));
  CHECK(race.tasks[0].curve.back().nines == Approx(std::log10(3'006'464)));
  CHECK(html_report({race}, nullptr).size() < 300'000);
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
  race.tasks = {task_series(evil, evil, blocks(requests(100, 0.1)), Instant{}, 10)};
  race.metrics = {{evil, evil, evil, {{0, 1}, {1, 2}, {2, 3}}}};
  const std::string text = html_report({race}, nullptr);
  CHECK(text.find("<img") == std::string::npos);
  CHECK(text.find("&lt;img src=x") != std::string::npos);
  CHECK(text.find("\\u003cimg src=x") != std::string::npos);
}

}  // namespace pacenote::reporters::series_test
