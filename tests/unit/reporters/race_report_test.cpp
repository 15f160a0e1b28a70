#include "reporters/race_report.hpp"

#include <fmt/format.h>

#include "tests/support/approved.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::reporters::race_report_test {

RaceRecord a_race() {
  RaceRecord race;
  race.id = "race-a";
  race.track = "http_logs";
  race.challenge = "append";
  race.state = RaceState::finished;
  race.version = "0.1.0";
  return race;
}

TaskResult healthy(const std::string& name) {
  TaskResult task;
  task.task = task.operation = name;
  task.throughput = {990.5, 1000.25, 1000.0, 1010.125, "docs/s"};
  task.latency = task.service_time = {{{50, 10.5}, {100, 20.25}}, 12.0, {}};
  task.samples = task.attempts = 40;
  return task;
}

/// Case O1: each bulk has failed documents.
TaskResult with_failed_documents() {
  TaskResult task = healthy("idx");
  task.error_rate = 1;
  task.failed = 40;
  task.items_ok = 3600;
  task.items_failed = 400;
  task.overall_throughput = 1000;
  task.accepted_throughput = 900;
  task.errors = {{"bulk: HTTP status: 400, message: failed to parse", 400}, {"bulk: other", 1}};
  return task;
}

TaskResult in_warmup() {
  TaskResult task;
  task.task = "warm";
  task.warmup_samples = task.attempts = 7;
  task.elapsed_s = 5.02;
  task.warmup_s = 60;
  return task;
}

Results troubled() {
  Results results;
  results.tasks = {with_failed_documents(), in_warmup(), healthy("retried"), healthy("cut"), healthy("last")};
  results.tasks[2].attempts = 44;
  results.tasks[3].state = TaskState::incomplete;
  results.tasks[4].state = TaskState::not_run;
  results.cluster = {{"total_time", 61000}, {"merge_count", 1234567}};
  return results;
}

RaceRecord troubled_race() {
  RaceRecord race = a_race();
  race.state = RaceState::interrupted;
  race.cluster.sandbox = true;
  race.warnings = {"merges_total_time was 12345 ms before the race"};
  return race;
}

std::string report(const RaceRecord& race, const Results& results, const std::string& format) {
  ReportOptions options;
  options.format = format;
  return race_report(race, results, options);
}

TEST_CASE("what went wrong in a race stands in and under its table", "[race_report]") {
  for (const std::string format : {"markdown", "csv", "json"}) {
    test::approve(fmt::format("troubled.{}", format), report(troubled_race(), troubled(), format));
  }
}

TEST_CASE("a healthy race's report is Rally's table and the figures beside it, without a warning",
          "[race_report]") {
  Results results;
  results.tasks = {healthy("idx")};
  results.tasks[0].overall_throughput = 1001.5;
  results.tasks[0].overall_interval = statistics::Interval{990, 1013};
  results.tasks[0].service_time.intervals = {{50, {10.25, 10.75}}};
  test::approve("healthy.markdown", report(a_race(), results, "markdown"));
}

TEST_CASE("results that were stored and read give the same report", "[race_report]") {
  const Results stored = results_from_json(parse_json_strictly(to_json(troubled()).dump()));
  for (const std::string format : {"markdown", "csv", "json"}) {
    CHECK(report(troubled_race(), stored, format) == report(troubled_race(), troubled(), format));
  }
}

TEST_CASE("a format without place for notes hands them on", "[race_report]") {
  ReportOptions options;
  options.format = "csv";
  const Table table = race_table(troubled_race(), troubled(), {});
  CHECK(write(table, options).notes == table.notes);
  options.format = "markdown";
  CHECK(write(table, options).notes.empty());
}

TEST_CASE("no report shows a number that is none", "[race_report]") {
  Results results;
  results.tasks = {healthy("q")};
  results.tasks[0].throughput.max = std::numeric_limits<double>::quiet_NaN();
  results.tasks[0].latency.percentiles[1].second = std::numeric_limits<double>::infinity();
  for (const std::string format : {"markdown", "csv", "json"}) {
    const std::string text = report(a_race(), results, format);
    CHECK(text.find("nan") == std::string::npos);
    CHECK(text.find("inf") == std::string::npos);
    CHECK(text.find("Max Throughput") == std::string::npos);
  }
}

TEST_CASE("an unknown format is named with the nearest", "[race_report]") {
  CHECK_THROWS_WITH(report(a_race(), {}, "markdwn"), Catch::Contains("markdwn"));
}

TEST_CASE("few samples are called few", "[race_report]") {
  Results results;
  results.tasks = {healthy("q")};
  results.tasks[0].samples = 9;
  CHECK(result_notes(results) ==
        std::vector<std::string>{"task q: few samples: 9 (below 10 a percentile is one request's time)"});
  const std::string text = report(a_race(), results, "markdown");
  CHECK_THAT(text, Catch::Contains("Beside Rally's figures") && Catch::Contains("few samples"));
  CHECK_THAT(report(a_race(), results, "csv"), !Catch::Contains("few samples"));
}

}  // namespace pacenote::reporters::race_report_test
