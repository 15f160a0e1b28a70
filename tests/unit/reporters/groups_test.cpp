#include "reporters/groups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reporters/numbers.hpp"
#include "reporters/race_report.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::reporters::groups_test {

RacedSide race(const std::string& id, double throughput, double latency) {
  RacedSide side;
  side.race.id = id;
  side.race.track = "t";
  side.race.challenge = "c";
  side.race.state = RaceState::finished;
  TaskResult task;
  task.task = task.operation = "q";
  task.samples = 1000;
  task.overall_throughput = throughput;
  task.throughput.unit = "ops/s";
  task.latency.percentiles =
      task.service_time.percentiles = {{50, latency}, {99, 2 * latency}, {100, 3 * latency}};
  side.results.tasks = {task};
  return side;
}

Group group(const std::string& label, const std::vector<double>& throughputs, double latency = 10) {
  Group out{label, {}};
  for (std::size_t i = 0; i < throughputs.size(); ++i)
    out.races.push_back(
        race(label + std::to_string(i), throughputs[i], latency + 0.01 * static_cast<double>(i)));
  return out;
}

const GroupRow& row(const std::vector<GroupRow>& rows, const std::string& name) {
  return *std::ranges::find(rows, name, [](const GroupRow& one) { return one.quantity.name(); });
}

const std::vector<double> kSlow{100, 101, 99, 100.5, 99.5}, kFast{110, 111, 109, 110.5, 109.5};

TEST_CASE("a difference that chance does not make has a verdict by the metric's direction", "[groups]") {
  const auto rows = compare_groups(group("a", kSlow, 10), group("b", kFast, 12), {}, nullptr);
  const GroupRow& throughput = row(rows, "throughput");
  CHECK(throughput.primary);
  CHECK(throughput.verdict == Verdict::better);
  CHECK(throughput.shift.estimate == 10);
  CHECK(throughput.p <= 0.05);
  CHECK(row(rows, "p99 latency").verdict == Verdict::worse);
  CHECK(row(rows, "p99 latency").primary);
  CHECK_FALSE(row(rows, "p99 service_time").primary);
  CHECK(rows.front().primary);
}

TEST_CASE("no difference shown comes with the number of races that would show it", "[groups]") {
  const auto rows =
      compare_groups(group("a", kSlow), group("b", {100.3, 101.2, 99.1, 100.6, 99.9}), {}, nullptr);
  const GroupRow& throughput = row(rows, "throughput");
  CHECK(throughput.verdict == Verdict::none_shown);
  REQUIRE(throughput.more);
  CHECK(*throughput.more > 10);
  const Table table = groups_table({rows}, {""});
  CHECK_THAT(full_text(table.rows[0].back()), Catch::StartsWith("no difference shown ("));
}

TEST_CASE("three against three cannot tell, however large the difference", "[groups]") {
  const auto rows = compare_groups(group("a", {1, 2, 3}), group("b", {101, 102, 103}), {}, nullptr);
  CHECK(row(rows, "throughput").verdict == Verdict::cannot_tell);
  CHECK(row(rows, "throughput").why == "too few races");
  CHECK(*row(rows, "throughput").more == 1);
}

TEST_CASE("a metric that some race lacks has no verdict", "[groups]") {
  Group contender = group("b", kFast);
  contender.races[1].results.tasks[0].state = TaskState::not_run;
  const auto rows = compare_groups(group("a", kSlow), contender, {}, nullptr);
  CHECK(row(rows, "throughput").verdict == Verdict::cannot_tell);
  CHECK(row(rows, "throughput").why == "not in all races");
}

TEST_CASE("whose requests fail more is not the better one for being faster", "[groups]") {
  Group contender = group("b", kFast, 5);
  for (RacedSide& side : contender.races) side.results.tasks[0].error_rate = 0.5;
  const auto rows = compare_groups(group("a", kSlow, 10), contender, {}, nullptr);
  CHECK(rows[0].quantity.name() == "error_rate");
  CHECK(rows[0].verdict == Verdict::worse);
  CHECK(row(rows, "p99 latency").verdict == Verdict::cannot_tell);
  CHECK(row(rows, "p99 latency").why == "50 % of the contender's requests failed");
  CHECK(row(rows, "throughput").verdict == Verdict::cannot_tell);
  const auto back = compare_groups(contender, group("a", kSlow, 10), {}, nullptr);
  CHECK(row(back, "error_rate").verdict == Verdict::better);
  CHECK(row(back, "p99 latency").why == "50 % of the baseline's requests failed");
  CHECK_THAT(groups_notes(group("a", kSlow), contender).back(),
             Catch::Contains("task q: error rate 50.00 %"));
}

TEST_CASE("a wish that fits no task is a mistake", "[groups]") {
  CHECK_THROWS_WITH(
      compare_groups(group("a", kSlow), group("b", kFast), {{primary_from("x: throughput")}, {}}, nullptr),
      Catch::Contains("no task of the races fits [x]"));
}

TEST_CASE("a percentile or a task that one side lacks keeps its row", "[groups]") {
  Group contender = group("b", kFast);
  for (RacedSide& side : contender.races) {
    side.results.tasks[0].latency.percentiles.erase(side.results.tasks[0].latency.percentiles.begin() + 1);
    side.results.tasks.push_back(side.results.tasks[0]);
    side.results.tasks.back().task = "only here";
  }
  auto rows = compare_groups(group("a", kSlow), contender, {}, nullptr);
  const auto shown = [&](const std::string& name, const std::string& task) {
    for (const auto& cells : groups_table({rows}, {""}).rows)
      if (full_text(cells[0]) == name && full_text(cells[1]) == task)
        return fmt::format("{} {} {} {}", full_text(cells[2]), full_text(cells[4]), full_text(cells[8]),
                           full_text(cells.back()));
    return std::string("no row");
  };
  CHECK(shown("p99 latency", "q") == "20.04 n/a n/a (not on both sides)");
  CHECK(shown("p50 latency", "only here") == "n/a 10.02 n/a (not on both sides)");
  rows = compare_groups(group("a", kSlow), contender, {{primary_from("p99 latency")}, {}}, nullptr);
  CHECK(rows[0].verdict == Verdict::cannot_tell);
  CHECK(shown("p99 latency", "q") == "20.04 n/a n/a cannot tell: not on both sides");
}

TEST_CASE("percentiles of several races come from their samples together", "[groups]") {
  const SampleTimes samples = [](const std::string& id, std::size_t, Times) {
    return std::vector<std::int64_t>(id.starts_with('a') ? 10 : 30, id == "a0" ? 90'000'000 : 20'000'000);
  };
  const auto rows = compare_groups(group("a", {1, 2}), group("b", {1, 2}), {}, samples);
  CHECK(row(rows, "p50 latency").baseline_centre == 55);  // of ten 90s and ten 20s, not of medians
  CHECK(row(rows, "p50 latency").contender_centre == 20);
}

TEST_CASE("the chosen metrics carry the verdict, ten at most", "[groups]") {
  GroupsOptions options{{primary_from("q: p50 service_time")}, {}};
  const auto rows = compare_groups(group("a", kSlow), group("b", kFast), options, nullptr);
  CHECK(row(rows, "p50 service_time").primary);
  CHECK_FALSE(row(rows, "throughput").primary);
  CHECK_THAT(full_text(groups_table({rows}, {""}).rows[1].back()), Catch::Contains("exploratory"));
  Group many = group("a", kSlow);
  for (RacedSide& side : many.races) {
    for (int i = 0; i < 10; ++i) {
      side.results.tasks.push_back(side.results.tasks[0]);
      side.results.tasks.back().task = "q" + std::to_string(i);
    }
  }
  options.primary = {primary_from("throughput")};
  CHECK_THROWS_WITH(compare_groups(many, many, options, nullptr), Catch::Contains("11 metrics"));
  CHECK_THROWS_AS(primary_from("q: thoughput"), UserError);
}

TEST_CASE("figures of the whole cluster are compared, too, and may carry the verdict", "[groups]") {
  Group a = group("a", kSlow), b = group("b", kFast);
  for (std::size_t i = 0; i < 5; ++i) {
    a.races[i].results.cluster = {{"merge_time", 60'000 + 100 * i}, {"store_size", 1'073'741'824}};
    b.races[i].results.cluster = {{"merge_time", 90'000 + 100 * i}, {"store_size", 1'073'741'824}};
  }
  auto rows = compare_groups(a, b, {}, nullptr);
  CHECK(row(rows, "merge time").task.empty());
  CHECK(row(rows, "merge time").verdict == Verdict::worse);
  CHECK_FALSE(row(rows, "merge time").primary);
  const auto cells = groups_table({rows}, {""}).rows;
  const auto of = [](const std::string& name) {
    return [name](const std::vector<Cell>& one) { return full_text(one[0]) == name; };
  };
  CHECK(full_text((*std::ranges::find_if(cells, of("store size")))[2]) == "1.0");  // GB
  CHECK(full_text((*std::ranges::find_if(cells, of("merge time")))[7]) == "0.5");  // min
  rows = compare_groups(a, b, {{primary_from("merge time")}, {}}, nullptr);
  CHECK(rows[0].quantity.name() == "merge time");
  CHECK(rows[0].primary);
  CHECK_THROWS_AS(primary_from("q: merge time"), UserError);
}

TEST_CASE("what differs between groups is said, other tracks first", "[groups]") {
  Group a = group("a", kSlow), b = group("b", kFast);
  CHECK(groups_notes(a, b).empty());
  for (RacedSide& side : b.races) {
    side.race.track = "u";
    side.race.cluster.version = "8.2";
    side.nodes = {{"number", 3}};
  }
  for (RacedSide& side : a.races) side.nodes = {{"number", 1}};
  const auto notes = groups_notes(a, b);
  REQUIRE(notes.size() == 2);
  CHECK_THAT(notes[0], Catch::Contains("different tracks (t, u)"));
  CHECK_THAT(notes[1],
             Catch::Contains("cluster version (not known, 8.2)") && Catch::Contains("nodes' number (1, 3)"));
}

TEST_CASE("values are a set: in which order the races came makes no difference", "[groups]") {
  Group a = group("a", kSlow), b = group("b", kFast);
  const std::vector<int> one = {9, 10, 100, 10, 9}, other = {100, 9, 9, 10, 10};
  for (std::size_t i = 0; i < 5; ++i) {
    a.races[i].race.track_params = {{"size", one[i]}};
    b.races[i].race.track_params = {{"size", other[i]}};
  }
  CHECK(
      groups_notes(a, b) ==
      std::vector<std::string>{"both groups mix races that differ in track parameter size (9 or 10 or 100)"});
}

TEST_CASE("groups raced on the sandbox say so", "[groups]") {
  Group a = group("a", kSlow), b = group("b", kFast);
  a.races[0].race.cluster.sandbox = true;
  for (RacedSide& side : b.races) side.race.cluster.sandbox = true;
  const auto notes = groups_notes(a, b);
  REQUIRE(notes.size() == 2);
  CHECK_THAT(notes[0], Catch::StartsWith("a: 1 of 5 races ran on pacenote's sandbox"));
  CHECK_THAT(notes[1], Catch::StartsWith("b: all races ran on pacenote's sandbox"));
}

TEST_CASE("a row knows whether all its races ran to their end", "[groups]") {
  const auto whole = [](const auto& change) {
    Group a = group("a", kSlow), b = group("b", kFast);
    change(b.races[2]);
    return row(compare_groups(a, b, {}, nullptr), "throughput").whole;
  };
  CHECK(whole([](RacedSide&) {}));
  CHECK_FALSE(whole([](RacedSide& side) { side.results.tasks[0].state = TaskState::incomplete; }));
  CHECK_FALSE(whole([](RacedSide& side) { side.results.tasks[0].task = "other"; }));
}

TEST_CASE("one race against one gets no verdict, but the number of races that would do", "[groups]") {
  RacedSide a = race("a", 100, 10), b = race("b", 105, 10);
  for (RacedSide* side : {&a, &b}) {
    const double value = *side->results.tasks[0].overall_throughput;
    side->results.tasks[0].overall_interval = statistics::Interval{value - 2, value + 2};
  }
  const auto notes = single_race_notes(a, b, nullptr);
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes[0],
             Catch::StartsWith("no verdict: one race against one") && Catch::Contains("3 more races"));
  CHECK_THAT(notes[0], Catch::Contains("for the +5.0 % in throughput of q (noise 1.0 %)"));
}

TEST_CASE("tables of several comparisons name the groups, and have cells in each column", "[groups]") {
  const auto rows = compare_groups(group("a", kSlow), group("b", kFast), {}, nullptr);
  const Table table = groups_table({rows, rows}, {"a : b", "a : c"});
  CHECK(table.header.front() == "Groups");
  CHECK(table.rows.size() == 2 * rows.size());
  for (const auto& cells : table.rows) CHECK(cells.size() == table.header.size());
}

}  // namespace pacenote::reporters::groups_test
