#include "core/own_figures.hpp"

#include <numeric>

#include "core/random.hpp"
#include "core/summarize.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::own_figures_test {

const Instant kStart = Instant(std::chrono::hours(1));

Sample request(double begin_s, double took_s, double weight = 1) {
  Sample sample;
  sample.due = sample.begin = sample.sent = kStart + from_seconds(begin_s);
  sample.first_byte = sample.received = sample.end = sample.begin + from_seconds(took_s);
  sample.weight = weight;
  return sample;
}

TEST_CASE("the mean of the blocks is the work divided by the time", "[own_figures]") {
  Random random(3);
  std::vector<Sample> samples;
  double now = 0;
  for (int i = 0; i < 500; ++i) {
    const double took = 0.01 + 0.3 * random.unit();  // often longer than a block
    samples.push_back(request(now, took, 5000));
    now += 0.02 + 0.02 * random.unit();
  }
  const std::vector<double> blocks = block_rates(samples);
  REQUIRE(blocks.size() == 64);
  const TaskResult result = summarize(Task{}, samples, Names());
  CHECK(std::accumulate(blocks.begin(), blocks.end(), 0.0) / 64 == Approx(*result.overall_throughput));
  REQUIRE(result.overall_interval);
  CHECK(result.overall_interval->low < *result.overall_throughput);
  CHECK(result.overall_interval->high > *result.overall_throughput);
  CHECK(result.overall_interval->high < 1.2 * *result.overall_throughput);
}

TEST_CASE("few requests have a rate, but no interval", "[own_figures]") {
  std::vector<Sample> samples;
  for (int i = 0; i < 31; ++i) samples.push_back(request(i, 1));
  const TaskResult few = summarize(Task{}, samples, Names());
  CHECK(*few.overall_throughput == Approx(1));
  CHECK_FALSE(few.overall_interval);
  samples.push_back(request(31, 1));
  CHECK(summarize(Task{}, samples, Names()).overall_interval->low == Approx(1));
}

TEST_CASE("case O2: times of successful requests stand apart where others failed", "[own_figures]") {
  std::vector<Sample> samples;
  for (int i = 0; i < 100; ++i) {
    samples.push_back(request(i, i % 2 == 0 ? 0.5 : 0.001));
    samples.back().ok = i % 2 == 0;
    samples.back().took_ms = 400;
  }
  const TaskResult result = summarize(Task{}, samples, Names());
  CHECK(*result.service_time.mean == Approx(250.5));
  CHECK(*result.successful_service_time.mean == Approx(500));
  CHECK(*result.took.mean == 400);
  for (Sample& sample : samples) sample.ok = true;
  CHECK_FALSE(summarize(Task{}, samples, Names()).successful_service_time.mean);
}

TEST_CASE("own figures survive the store's JSON", "[own_figures]") {
  Task task;
  task.target = TargetThroughput{10, "ops"};  // of requests; each is worth one
  std::vector<Sample> samples;
  for (int i = 0; i < 100; ++i) {
    samples.push_back(request(i, 0.25 + 0.001 * i));
    samples.back().ok = i > 0;
    samples.back().took_ms = i;
  }
  Results results;
  results.tasks.push_back(summarize(task, samples, Names()));
  CHECK(*results.tasks[0].target_throughput == 10);
  CHECK(results.tasks[0].service_time.intervals.size() == 2);  // 50 and 90; not 99 and 100
  CHECK(to_json(results_from_json(to_json(results))) == to_json(results));
}

}  // namespace pacenote::own_figures_test
