#include "reporters/comparison.hpp"

#include <algorithm>

#include "reporters/race_report.hpp"
#include "tests/support/approved.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::reporters::comparison_test {

TaskResult task(const std::string& name, double error_rate = 0) {
  TaskResult out;
  out.task = out.operation = name;
  out.throughput = {10, 11, 11, 12, "ops/s"};
  out.latency = out.service_time = {{{50, 1.5}, {100, 2.5}}, 1.75, {}};
  out.error_rate = error_rate;
  out.samples = 40;
  out.clients = 1;
  return out;
}

RacedSide side(const std::string& id, std::vector<TaskResult> tasks) {
  RacedSide out;
  out.race.id = id;
  out.race.track = "t";
  out.race.challenge = "c";
  out.race.state = RaceState::finished;
  out.race.version = "0.1.0";
  out.results.tasks = std::move(tasks);
  return out;
}

const std::vector<Cell>* row(const Table& table, const std::string& metric, const std::string& task) {
  const auto it = std::find_if(table.rows.begin(), table.rows.end(), [&](const std::vector<Cell>& cells) {
    return std::get<std::string>(cells[0].value) == metric && std::get<std::string>(cells[1].value) == task;
  });
  return it == table.rows.end() ? nullptr : &*it;
}

std::string mark(const Cell& cell) { return std::get<Mark>(cell.value).text; }

TEST_CASE("case O12: one-sided tasks keep their rows, and errors from nothing are worse", "[comparison]") {
  const RacedSide baseline = side("a", {task("idx"), task("q"), task("only_a")});
  const RacedSide contender = side("b", {task("idx"), task("q", 0.5), task("only_b")});
  const Table table = comparison_table(baseline, contender, {});
  REQUIRE(row(table, "error rate", "q") != nullptr);
  const std::vector<Cell>& worse = *row(table, "error rate", "q");
  CHECK(std::get<Real>(worse[4].value).value == 50);
  CHECK(mark(worse[6]) == "n/a");
  CHECK(worse[4].tone == Tone::worse);
  CHECK(worse[6].tone == Tone::worse);
  CHECK(row(table, "error rate", "idx")->at(6).tone == Tone::neutral);
  CHECK(mark(row(table, "Min Throughput", "only_a")->at(3)) == "—");
  CHECK(mark(row(table, "Min Throughput", "only_b")->at(2)) == "—");
  for (const std::string format : {"markdown", "csv", "json"}) {
    ReportOptions options;
    options.format = format;
    test::approve("one-sided." + format, write(table, options).text);
  }
}

TEST_CASE("a percentile that one side lacks is n/a, and its row stays", "[comparison]") {
  TaskResult more = task("q");
  more.latency.percentiles.insert(more.latency.percentiles.begin() + 1, {99.9, 2.0});
  const Table table = comparison(side("a", {more}).results, side("b", {task("q")}).results, {});
  REQUIRE(row(table, "99.9th percentile latency", "q") != nullptr);
  CHECK(mark(row(table, "99.9th percentile latency", "q")->at(3)) == "n/a");
  CHECK(mark(row(table, "99.9th percentile latency", "q")->at(4)) == "n/a");
}

TEST_CASE("what makes two races incomparable is one line", "[comparison]") {
  RacedSide baseline = side("a", {task("q")});
  RacedSide contender = side("b", {task("q")});
  CHECK(comparison_notes(baseline, contender).empty());
  contender.race.track = "other";
  contender.race.version = "0.2.0";
  contender.race.track_params = {{"bulk_size", 500}};
  contender.results.tasks[0].clients = 4;
  CHECK(comparison_notes(baseline, contender) ==
        std::vector<std::string>{"the races differ in track (t, other), pacenote's version (0.1.0, 0.2.0), "
                                 "clients of task q (1, 4), track parameter bulk_size (not given, 500)"});
}

TEST_CASE("a running mean that says the contrary of the work done is pointed at", "[comparison]") {
  RacedSide baseline = side("a", {task("q")}), contender = side("b", {task("q")});
  baseline.results.tasks[0].throughput.mean = baseline.results.tasks[0].overall_throughput = 100;
  contender.results.tasks[0].throughput.mean = 120;
  contender.results.tasks[0].overall_throughput = 80;
  const auto notes = comparison_notes(baseline, contender);
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes[0], Catch::StartsWith("task q: Mean Throughput") && Catch::Contains("+20.00 %") &&
                           Catch::Contains("-20.00 %"));
  contender.results.tasks[0].overall_throughput = 101;
  CHECK(comparison_notes(baseline, contender).empty());
}

TEST_CASE("the track's commit differs only where both races have one", "[comparison]") {
  RacedSide baseline = side("a", {task("q")}), contender = side("b", {task("q")});
  baseline.race.track_revision = "3fa9c01";
  CHECK(comparison_notes(baseline, contender).empty());
  contender.race.track_revision = "77b1e20";
  CHECK(comparison_notes(baseline, contender) ==
        std::vector<std::string>{"the races differ in track revision (3fa9c01, 77b1e20)"});
}

TEST_CASE("case O10: a comparison repeats what is incomplete", "[comparison]") {
  RacedSide baseline = side("a", {task("q")});
  RacedSide contender = side("b", {task("q"), task("r")});
  contender.race.state = RaceState::interrupted;
  contender.results.tasks[0].state = TaskState::incomplete;
  contender.results.tasks[1].state = TaskState::not_run;
  CHECK(comparison_notes(baseline, contender) ==
        std::vector<std::string>{"contender b: the race is interrupted, its figures are not whole",
                                 "contender: task q: incomplete (40 samples)", "contender: task r: not run"});
  CHECK(row(comparison(baseline.results, contender.results, {}), "error rate", "r") == nullptr);
}

}  // namespace pacenote::reporters::comparison_test
