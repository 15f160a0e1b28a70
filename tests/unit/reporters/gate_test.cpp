#include "reporters/gate.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::reporters::gate_test {

RacedSide raced() {
  RacedSide side;
  side.race.id = "r";
  side.race.track = "t<1>";
  side.race.state = RaceState::finished;
  for (const char* name : {"index", "search-a", "search-b"}) {
    TaskResult task;
    task.task = name;
    task.samples = 1000;
    task.overall_throughput = 100;
    task.throughput.unit = "ops/s";
    task.service_time.percentiles = {{50, 10}, {99, 300}};
    side.results.tasks.push_back(task);
  }
  side.results.tasks[1].error_rate = 0.02;
  return side;
}

std::vector<GateResult> held(const std::string& text, const RacedSide& side = raced()) {
  return check_gates({gate_from(text)}, side, nullptr);
}

std::string complaint(const std::string& text) {
  try {
    gate_from(text);
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::usage);
    CHECK_FALSE(error.hint().empty());
    return error.what();
  }
  return "";
}

TEST_CASE("a gate is held against every task that it fits", "[gate]") {
  CHECK(any_failed(held("error_rate>0")));
  CHECK_FALSE(any_failed(held("error_rate>2%")));
  CHECK(any_failed(held("error_rate >= 2 %")));
  CHECK_FALSE(any_failed(held("search-b: error_rate>0")));
  CHECK(held("search-*: p99 service_time>250ms").size() == 2);
  CHECK(any_failed(held("p99 service_time > 0.25s")));
  CHECK_FALSE(any_failed(held("p99 service_time>1s")));
  CHECK(any_failed(held("throughput<101/s")));
  CHECK(held("search-a: error_rate>0")[0].words == "2 %");
}

TEST_CASE("a gate on the whole cluster is held once", "[gate]") {
  RacedSide side = raced();
  side.results.cluster = {
      {"young_gc_time", 6000}, {"store_size", 3'000'000'000}, {"merge_time", 90'000}, {"segment_count", 12}};
  CHECK(held("young gc time>5s", side)[0].words == "6 s");
  CHECK(any_failed(held("young gc time>5s", side)));
  CHECK(any_failed(held("Total Young Gen GC time>5s", side)));
  CHECK_FALSE(any_failed(held("young_gc_time>0.1min", side)));
  CHECK(any_failed(held("store size>2GB", side)));
  CHECK_FALSE(any_failed(held("store size>3000 MB", side)));
  CHECK(any_failed(held("merge time>=1.5min", side)));
  CHECK(held("segment count<=12", side).size() == 1);
  CHECK(any_failed(held("segment count<=12", side)));
  CHECK(held("old gc time>0", side)[0].words == "no value: the cluster did not tell this figure");
  CHECK_THAT(complaint("q: store size>1GB"), Catch::Contains("whole cluster"));
  CHECK_THAT(complaint("store size>5"), Catch::Contains("[5]"));
}

TEST_CASE("every metric that is listed can be asked for, and is called what it is called", "[gate]") {
  const std::vector<std::string> names = Quantity::names();
  CHECK(names.size() > 60);
  for (const std::string& name : names) CHECK(Quantity::parse(name).name() == name);
}

TEST_CASE("what cannot be checked has not passed", "[gate]") {
  CHECK(any_failed(held("rate_reached<95%")));  // no task has a target
  RacedSide side = raced();
  side.results.tasks[0].target_throughput = 100;
  CHECK_FALSE(any_failed(held("rate_reached<95%", side)));
  CHECK(any_failed(held("search-a: rate_reached<95%", side)));
  side.results.tasks[0].state = TaskState::not_run;
  CHECK(any_failed(held("index: error_rate>0", side)));
}

TEST_CASE("a task that measured nothing has not shown that it has no errors", "[gate]") {
  RacedSide side = raced();
  side.results.tasks[1].error_rate = 0;
  CHECK_FALSE(any_failed(held("error_rate>0", side)));
  side.results.tasks[2].samples = 0;
  side.results.tasks[2].warmup_samples = 40;
  CHECK(any_failed(held("error_rate>0", side)));
}

TEST_CASE("a task without the figure is named as not checked where others have it", "[gate]") {
  RacedSide side = raced();
  side.results.tasks[0].service_time.percentiles = {{50, 10}};
  side.results.tasks[0].samples = 40;
  const auto results = held("p99 service_time>1s", side);
  CHECK_FALSE(any_failed(results));
  REQUIRE(results.size() == 3);
  CHECK(results.back().task == "index");
  CHECK(results.back().unchecked);
  CHECK(results.back().words == "no value: 40 samples");
}

TEST_CASE("a wrong expression says where and what would do", "[gate]") {
  CHECK_THAT(complaint("p99 service_tme>250ms"),
             Catch::Contains("column 1") && Catch::Contains("service_tme"));
  CHECK_THAT(complaint("q: thrughput<5"), Catch::Contains("column 3"));
  CHECK_THAT(complaint("throughput"), Catch::Contains("a comparison is missing"));
  CHECK_THAT(complaint("throughput=>5"), Catch::Contains("[=>]"));
  CHECK_THAT(complaint("p99 latency>250"), Catch::Contains("[250]"));
  CHECK_THAT(complaint("error_rate>5"), Catch::Contains("[5]"));
  CHECK_THAT(complaint("error_rate>nan%"), Catch::Contains("number"));
  CHECK_THAT(complaint("error_rate>"), Catch::Contains("number"));
  CHECK_THAT(complaint("error_rate>-5%"), Catch::Contains("never below zero"));
  CHECK_THAT(complaint("rate_reached<101%"), Catch::Contains("never above 100 %"));
  CHECK_THAT(complaint("p99.9999999 latency>1s"), Catch::Contains("no metric"));
  CHECK_THAT(complaint(">5"), Catch::Contains("a metric is missing"));
  CHECK_THAT(complaint("throughput<5 significant"), Catch::Contains("only a change"));
  CHECK_THAT(complaint(": throughput<5"), Catch::Contains("task's name is missing"));
}

TEST_CASE("the hint of an unknown metric has the nearest names first", "[gate]") {
  try {
    gate_from("young gc tme>5s");
    FAIL("taken");
  } catch (const UserError& error) {
    CHECK_THAT(error.hint(),
               Catch::StartsWith("nearest: young gc time, ") && Catch::Contains("list metrics"));
  }
}

TEST_CASE("what can never be checked is found before the race", "[gate]") {
  CHECK_THROWS_WITH(check_before_race({gate_from("throughput drop>5%")}, {"q"}), Catch::Contains("compare"));
  CHECK_THROWS_WITH(check_before_race({gate_from("serch-*: error_rate>0")}, {"search-a"}),
                    Catch::Contains("serch-*"));
  CHECK_NOTHROW(
      check_before_race({gate_from("search-?: error_rate>0"), gate_from("error_rate>0")}, {"search-a"}));
}

GroupRow throughput_row(double from, double to, Verdict verdict) {
  GroupRow row{.quantity = Quantity::parse("throughput"),
               .task = "q",
               .unit = "ops/s",
               .baseline = {from},
               .contender = {to}};
  row.baseline_centre = from;
  row.contender_centre = to;
  row.shift.estimate = to - from;
  row.verdict = verdict;
  return row;
}

TEST_CASE("a change counts by its size, and by its significance where asked", "[gate]") {
  const auto fails = [](const std::string& gate, const GroupRow& row) {
    return any_failed(check_gates({gate_from(gate)}, std::vector<GroupRow>{row}));
  };
  CHECK(fails("throughput drop>5%", throughput_row(100, 90, Verdict::none_shown)));
  CHECK_FALSE(fails("throughput drop>5% significant", throughput_row(100, 90, Verdict::none_shown)));
  CHECK(fails("throughput drop>5% significant", throughput_row(100, 90, Verdict::worse)));
  CHECK(fails("throughput drop>5% significant", throughput_row(100, 90, Verdict::cannot_tell)));
  CHECK_FALSE(fails("throughput drop>5% significant", throughput_row(100, 99, Verdict::cannot_tell)));
  CHECK_FALSE(fails("throughput drop>5% significant", throughput_row(100, 96, Verdict::worse)));
  CHECK_FALSE(fails("throughput drop>5%", throughput_row(100, 120, Verdict::better)));
  CHECK(fails("throughput change>5%", throughput_row(100, 120, Verdict::better)));
  CHECK(fails("throughput rise>5%", throughput_row(0, 1, Verdict::better)));
  CHECK(fails("throughput<95", throughput_row(100, 90, Verdict::none_shown)));
  CHECK(fails("other: throughput<95", throughput_row(100, 99, Verdict::none_shown)));  // nothing to check
}

TEST_CASE("what a contender lost does not pass, what is new is not checked", "[gate]") {
  const auto held = [](const std::string& gate, const GroupRow& row) {
    const auto out = check_gates({gate_from(gate)}, {throughput_row(100, 100, Verdict::none_shown), row});
    REQUIRE(out.size() == 2);
    return out[1];
  };
  GroupRow lost = throughput_row(100, 0, Verdict::cannot_tell);
  lost.contender.clear();
  for (const char* gate : {"throughput drop>90%", "throughput<5", "q: throughput drop>90%"}) {
    CHECK(held(gate, lost).failed);
    CHECK_THAT(held(gate, lost).words, Catch::Contains("no value in the contender"));
  }
  GroupRow fresh = throughput_row(0, 100, Verdict::cannot_tell);
  fresh.baseline.clear();
  CHECK_FALSE(held("throughput drop>90%", fresh).failed);
  CHECK(held("throughput drop>90%", fresh).unchecked);
  CHECK(held("q: throughput drop>90%", fresh).failed);
  CHECK_FALSE(held("throughput<5", fresh).failed);
}

TEST_CASE("a part of a task or race is no answer to a gate", "[gate]") {
  RacedSide side = raced();
  side.race.state = RaceState::interrupted;
  side.results.tasks[1].error_rate = 0;
  side.results.tasks[1].state = TaskState::incomplete;
  side.results.tasks[2].state = TaskState::not_run;
  side.results.cluster = {{"merge_time", 60'000}};
  const auto results = held("error_rate>0", side);
  REQUIRE(results.size() == 3);
  CHECK_FALSE(results[0].failed);
  CHECK(results[1].failed);
  CHECK(results[1].words == "0 %, but the task did not run to its end");
  CHECK(results[2].unchecked);
  CHECK(held("merge time>5min", side)[0].words == "1 min, but the race is interrupted");
  CHECK(any_failed(held("merge time>5min", side)));
  GroupRow row = throughput_row(100, 100, Verdict::none_shown);
  row.whole = false;
  const auto compared =
      check_gates({gate_from("throughput drop>5%"), gate_from("throughput<1")}, std::vector<GroupRow>{row});
  CHECK(compared[0].failed);
  CHECK(compared[1].failed);
}

TEST_CASE("JUnit XML escapes what names hold and counts what failed", "[gate]") {
  RacedSide side = raced();
  side.results.tasks[0].task = "a & \"b\" <c>\x01";
  side.results.tasks[2].state = TaskState::not_run;
  const std::string xml = junit_xml(side, check_gates({gate_from("error_rate>0")}, side, nullptr));
  CHECK_THAT(xml, Catch::Contains("a &amp; &quot;b&quot; &lt;c&gt;\xEF\xBF\xBD"));
  CHECK_THAT(xml, Catch::Contains("tests=\"6\" failures=\"1\" errors=\"0\" skipped=\"2\""));
  CHECK_THAT(xml, Catch::Contains("<failure message=\"2 %\"/>"));
  CHECK_THAT(xml, Catch::Contains("name=\"error_rate&gt;0\""));
}

}  // namespace pacenote::reporters::gate_test
