#include "reporters/driver_notes.hpp"

#include "tests/support/catch.hpp"

namespace pacenote::reporters::driver_notes_test {

using Catch::Contains;

Results with(const DriverResult& driver, std::optional<double> reached = std::nullopt,
             double elapsed_s = 10) {
  Results out;
  TaskResult task;
  task.task = "q";
  task.clients = 2;
  task.elapsed_s = elapsed_s;
  task.driver = driver;
  task.rate_reached = reached;
  task.target_throughput = 100;
  task.throughput.unit = "ops/s";
  out.tasks.push_back(task);
  return out;
}

DriverResult healthy() {
  DriverResult out;
  out.cpu_share = 0.6;
  out.stalled_share = 0.1;
  out.parameters_share = out.connecting_share = 0.05;
  return out;
}

TEST_CASE("a healthy driver, a short task and Rally's results say nothing", "[driver_notes]") {
  CHECK(driver_notes(with(healthy(), 0.99)).empty());
  DriverResult busy = healthy();
  busy.cpu_share = 1;
  CHECK(driver_notes(with(busy, 0.5, 0.2)).empty());
  Results rally = with(busy);
  rally.tasks[0].driver.reset();
  CHECK(driver_notes(rally).empty());
}

TEST_CASE("each reason is one line with its figure", "[driver_notes]") {
  DriverResult driver = healthy();
  driver.cpu_share = 0.973;
  driver.stalled_share = 0.9;  // follows from the first
  driver.parameters_share = 0.4;
  driver.connecting_share = 0.3;
  const auto notes = driver_notes(with(driver));
  REQUIRE(notes.size() == 3);
  CHECK_THAT(notes[0], Contains("q: ") && Contains("busy 97 %"));
  CHECK_THAT(notes[1], Contains("40 %"));
  CHECK_THAT(notes[2], Contains("30 %") && Contains("connections"));
}

TEST_CASE("a starved driver and a rate that was missed name who was late", "[driver_notes]") {
  DriverResult driver = healthy();
  driver.stalled_share = 0.82;
  driver.late_p50_ms = 45;
  auto notes = driver_notes(with(driver, 0.31));
  REQUIRE(notes.size() == 2);
  CHECK_THAT(notes[0], Contains("no processor for 82 %"));
  CHECK(notes[1] ==
        "task q: 31.0 of 100 ops/s reached; pacenote sent half of the requests more than 45 ms late");
  driver = healthy();
  driver.late_p50_ms = 0.02;
  notes = driver_notes(with(driver, 0.7));
  REQUIRE(notes.size() == 1);
  CHECK(notes[0] == "task q: 70.0 of 100 ops/s reached");
}

TEST_CASE("case O8: a planned rate that was not reached, in words", "[driver_notes]") {
  Results results = with(healthy(), 0.5, 20);
  TaskResult& task = results.tasks[0];
  task.clients = 1;
  task.target_throughput = 10;
  task.samples = 100;
  task.overall_throughput = 5;
  task.latency.mean = 5150;
  task.service_time.mean = task.processing_time.mean = 200;
  CHECK(driver_notes(results) ==
        std::vector<std::string>{
            "task q: 5.0 of 10 ops/s reached; latency is dominated by waiting; highest rate "
            "for 1 client about 5 ops/s"});
  CHECK(missed_rates(results) == driver_notes(results));
  task.throughput.unit = "docs/s";
  task.clients = 8;
  task.target_throughput = 100'000;
  task.overall_throughput = 49'870;
  task.processing_time.mean = 1603;  // 8 at once, each 9974 documents
  CHECK(missed_rate(task) ==
        "50000 of 1e+05 docs/s reached; latency is dominated by waiting; highest rate for 8 clients about "
        "50000 "
        "docs/s");
  task.rate_reached = 0.981;
  CHECK(missed_rate(task).empty());
  CHECK(driver_notes(results).empty());
}

}  // namespace pacenote::reporters::driver_notes_test
