#include "core/results.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"

namespace pacenote::results_test {

TaskResult full_task() {
  TaskResult task;
  task.task = "idx";
  task.operation = "index-append";
  task.operation_type = "bulk";
  task.throughput = {1.5, 2.5, 2.0, 4.0, "docs/s"};
  task.latency = {{{50, 1.25}, {99.9, 7.5}, {99.99, 8.5}, {100, 9}}, 2.0, {}};
  task.service_time = {{{100, 3}}, 3.0, {}};
  task.error_rate = 0.25;
  task.duration_ms = 1234.5;
  task.meta = {{"k", "v"}};
  task.include_in_reporting = false;
  task.state = TaskState::incomplete;
  task.samples = 40;
  task.warmup_samples = 3;
  task.failed = 10;
  task.attempts = 45;
  task.items_ok = 3600;
  task.items_failed = 400;
  task.overall_throughput = 100.5;
  task.accepted_throughput = 90.25;
  task.elapsed_s = 12.5;
  task.clients = 8;
  task.warmup_s = 60;
  task.errors = {{"bulk: HTTP status: 400", 10}};
  return task;
}

TEST_CASE("results written as JSON are read back as they were", "[results]") {
  Results results;
  results.tasks = {full_task(), TaskResult()};
  results.tasks[1].task = "not yet";
  results.tasks[1].state = TaskState::not_run;
  results.cluster = {{"total_time", 24017}, {"dataset_size", nullptr}};
  const Json json = to_json(results);
  const Results read = results_from_json(parse_json_strictly(json.dump()));
  CHECK(to_json(read) == json);
  CHECK(read.tasks[0].latency.percentiles == results.tasks[0].latency.percentiles);
  CHECK(read.tasks[0].state == TaskState::incomplete);
  CHECK(read.tasks[1].state == TaskState::not_run);
  CHECK_FALSE(read.tasks[1].throughput.min);
  CHECK_FALSE(read.tasks[1].warmup_s);
  CHECK(read.tasks[0].errors.at(0).count == 10);
}

TEST_CASE("percentiles have Rally's keys", "[results]") {
  Results results;
  results.tasks = {full_task()};
  const Json latency = to_json(results)["op_metrics"][0]["latency"];
  CHECK(latency ==
        parse_json_strictly(
            R"({"50_0": 1.25, "99_9": 7.5, "99_99": 8.5, "100_0": 9, "mean": 2.0, "unit": "ms"})"));
}

TEST_CASE("a task without samples has empty distributions and null throughput", "[results]") {
  Results results;
  results.tasks = {TaskResult()};
  const Json task = to_json(results)["op_metrics"][0];
  CHECK(task["latency"] == Json::object());
  CHECK(task["throughput"]["median"].is_null());
  CHECK(task["throughput"]["unit"].is_null());
}

TEST_CASE("tasks of old races go by the name of their operation", "[results]") {
  const Results results = results_from_json(parse_json_strictly(R"({"op_metrics": [{"operation": "q"}]})"));
  CHECK(results.tasks.at(0).task == "q");
}

TEST_CASE("results that are no object are refused", "[results]") {
  CHECK_THROWS_AS(results_from_json(Json::array()), UserError);
}

TEST_CASE("Rally's race.json keeps every figure", "[results]") {
  const auto file = test::shared("rally/golden-real/rally-races/gold-rally-a/race.json");
  if (!file) return;
  const Json document = test::read_json(*file);
  Json written = to_json(results_from_json(document["results"]));
  for (Json& task : written["op_metrics"]) task.erase("pacenote");
  CHECK(Json::diff(written, document["results"]) == Json::array());
}

}  // namespace pacenote::results_test
