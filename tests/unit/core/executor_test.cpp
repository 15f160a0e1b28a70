#include "core/executor.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/core/executor_rig.hpp"

namespace pacenote::executor_test {

using namespace std::chrono_literals;
using test::Rig;

TEST_CASE("a throttled ramp-up sends no burst of missed slots", "[executor]") {
  Rig rig;
  Task task;
  task.name = "t";
  task.clients = 4;
  task.limits.warmup = 4s;
  task.limits.period = 2s;
  task.limits.ramp_up = 4s;
  task.target = TargetThroughput{8, "ops"};
  rig.run(task, *make_schedule(task, 3), 3);
  REQUIRE(rig.samples.all.size() > 4);
  for (const Sample& sample : rig.samples.all) CHECK(sample.latency() < 2ms);
}

TEST_CASE("a late request counts its wait as latency", "[executor]") {
  Rig rig;
  Task task;
  task.name = "t";
  task.limits.iterations = 5;
  task.target = TargetThroughput{100, "ops"};
  rig.cluster.otherwise.takes = 30ms;
  rig.run(task, *make_schedule(task, 0));
  const Sample& last = rig.samples.all.back();
  CHECK(last.service_time() == 30ms);
  CHECK(last.latency() == 5 * 30ms - 4 * 10ms);
}

TEST_CASE("each request that fails is one sample, wherever it stands", "[executor]") {
  for (std::size_t n = 0; n < 6; ++n) {
    Rig rig;
    Task task;
    task.name = "t";
    task.limits.iterations = 6;
    rig.cluster.fail_at = n;
    rig.run(task, *make_schedule(task, 0));
    REQUIRE(rig.samples.all.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) CHECK(rig.samples.all[i].ok == (i != n));
    CHECK(rig.progress.failed == 1);
    CHECK(rig.names.text(rig.samples.all[n].error) == "transport: refused");
    CHECK_FALSE(rig.stop.requested());
  }
}

TEST_CASE("a lost connection ends the race unless --on-error=continue-on-network", "[executor]") {
  Rig rig;
  rig.on_error = OnError::continue_;
  Task task;
  task.name = "q";
  task.limits.iterations = 6;
  rig.cluster.fail_at = 2;
  rig.run(task, *make_schedule(task, 0));
  CHECK(rig.samples.all.size() == 3);
  CHECK(rig.stop.reason() == StopReason::error);
  CHECK(rig.stop.why().find("[q]") != std::string::npos);
}

TEST_CASE("abort ends the race at the first failed request, unless the task says non-fatal", "[executor]") {
  for (const bool non_fatal : {false, true}) {
    Rig rig;
    rig.on_error = OnError::abort;
    rig.runner.failures = {false, true, false};
    Task task;
    task.name = "q";
    task.errors_non_fatal = non_fatal;
    task.limits.iterations = 3;
    rig.run(task, *make_schedule(task, 0));
    CHECK(rig.samples.all.size() == (non_fatal ? 3 : 2));
    CHECK(rig.stop.requested() == !non_fatal);
  }
}

}  // namespace pacenote::executor_test
