#include "reporters/quantity.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::reporters::quantity_test {

TEST_CASE("a quantity is found under the names that people write", "[quantity]") {
  CHECK(Quantity::parse("throughput").name() == "throughput");
  CHECK(Quantity::parse("  P99  service_time ").name() == "p99 service_time");
  CHECK(Quantity::parse("99.9th latency").name() == "p99.9 latency");
  CHECK(Quantity::parse("median service time").name() == "p50 service_time");
  CHECK(Quantity::parse("median throughput").more_is_better());
}

TEST_CASE("a name that is none is met with the nearest", "[quantity]") {
  try {
    Quantity::parse("p99 service_tme");
    FAIL("parsed");
  } catch (const UserError& error) {
    CHECK_THAT(error.what(), Catch::Contains("p99 service_tme"));
    CHECK_THAT(error.hint(), Catch::Contains("p99 service_time"));
  }
  CHECK_THROWS_AS(Quantity::parse("p101 latency"), UserError);
  CHECK_THROWS_AS(Quantity::parse("p0 latency"), UserError);
  CHECK_THROWS_AS(Quantity::parse(""), UserError);
}

TEST_CASE("percentiles that the results lack come from samples, if those are enough", "[quantity]") {
  Results results;
  results.tasks.resize(1);
  results.tasks[0].samples = 1000;
  results.tasks[0].latency.percentiles = {{50, 5}, {99, 9}};
  int asked = 0;
  const SampleTimes samples = [&](const std::string&, std::size_t, Times) {
    ++asked;
    return std::vector<std::int64_t>{4'000'000, 1'000'000, 2'000'000, 3'000'000, 5'000'000};
  };
  CHECK(*Quantity::parse("p99 latency").of("r", results, 0, samples) == 9);
  CHECK(asked == 0);
  CHECK(*Quantity::parse("p75 latency").of("r", results, 0, samples) == 4);
  CHECK(asked == 1);
  CHECK_FALSE(Quantity::parse("p99.99 latency").of("r", results, 0, samples));  // needs 10,000
  CHECK_FALSE(Quantity::parse("p75 latency").of("r", results, 0, nullptr));
}

TEST_CASE("a percentile lies between its closest ranks, as everywhere else", "[quantity]") {
  std::vector<std::int64_t> values{10'000'000, 1'000'000, 4'000'000, 2'000'000, 3'000'000};
  CHECK(*percentile_ms(values, 50) == 3);
  CHECK(*percentile_ms(values, 90) == Approx(7.6));
  CHECK(*percentile_ms(values, 100) == 10);
  std::vector<std::int64_t> none;
  CHECK_FALSE(percentile_ms(none, 50));
}

TEST_CASE("case O8: the rate that was reached of the one that was wanted", "[quantity]") {
  TaskResult task;
  const Quantity reached = Quantity::parse("rate_reached");
  CHECK_FALSE(reached.of(task));
  task.overall_throughput = 5;
  CHECK_FALSE(reached.of(task));
  task.target_throughput = 10;
  CHECK(*reached.of(task) == 0.5);
  CHECK(reached.shown(0.5) == 50);
  CHECK(reached.unit(task) == "%");
}

}  // namespace pacenote::reporters::quantity_test
