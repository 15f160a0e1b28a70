#include "reporters/rally.hpp"

#include <algorithm>
#include <iostream>

#include "core/error.hpp"
#include "core/summarize.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"

namespace pacenote::reporters::rally_test {

TEST_CASE("a race.json of Rally that is imported and exported again is the same document", "[rally]") {
  int same = 0;
  for (const char* name : {"rally/golden/race.json", "rally/golden-real/rally-races/gold-rally-a/race.json",
                           "rally/golden-real/rally-races/gold-rally-b/race.json"}) {
    const auto file = test::shared(name);
    if (!file) continue;
    const Json document = test::read_json(*file);
    const RacedSide raced = race_from_rally(document, name);
    CHECK(rally_race(raced.race, raced.results) == document);
    same += rally_race(raced.race, raced.results) == document ? 1 : 0;
    CHECK(raced.race.version.starts_with("Rally 2.13"));
    CHECK(raced.race.state == RaceState::finished);
  }
  std::cout << "golden race.json: " << same << " are the same after import and export\n";
}

Json keys_of(const Json& object) {
  Json out = Json::array();
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

TEST_CASE("a race of pacenote has Rally's fields in Rally's order, and no other", "[rally]") {
  const auto file = test::shared("rally/golden/race.json");
  if (!file) return;
  const Json golden = test::read_json(*file);
  RaceRecord race;
  race.id = "r";
  race.challenge_auto_generated = true;
  Results results;
  results.tasks.resize(2);
  results.tasks[0].task = results.tasks[0].operation = "q";
  results.tasks[0].latency = results.tasks[0].service_time =
      results.tasks[0].processing_time = {{{50, 1}, {90, 2}, {100, 3}}, 1.5, {}};
  results.tasks[1].include_in_reporting = false;
  results.cluster = summarize_cluster({});
  results.cluster["cluster_name"] = nullptr;
  const Json ours = rally_race(race, results);
  CHECK(keys_of(ours) == keys_of(golden));
  CHECK(keys_of(ours["cluster"]) == keys_of(golden["cluster"]));
  REQUIRE(ours["results"]["op_metrics"].size() == 1);
  CHECK(keys_of(ours["results"]["op_metrics"][0]) == keys_of(golden["results"]["op_metrics"][0]));
  for (const auto& [key, value] : golden["results"].items()) {
    INFO(key);
    CHECK(ours["results"].contains(key));
  }
  CHECK_FALSE(ours["results"].contains("pacenote"));
}

TEST_CASE("that a race ran on the sandbox survives Rally's format", "[rally]") {
  RacedSide side;
  side.race.id = "r";
  side.race.track = "t";
  for (const bool sandbox : {false, true}) {
    side.race.cluster.sandbox = sandbox;
    CHECK(race_from_rally(rally_race(side.race, side.results), "r").race.cluster.sandbox == sandbox);
  }
}

TEST_CASE("what is no finished race.json is said with its name", "[rally]") {
  const auto complaint = [](const char* text) {
    try {
      race_from_rally(parse_json_strictly(text), "x/race.json");
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(complaint("[]"), Catch::Contains("x/race.json"));
  CHECK_THAT(complaint(R"({"race-id":"a","track":"t"})"), Catch::Contains("no results"));
  CHECK_THAT(complaint(R"({"race-id":"a","track":"t","results":[]})"), Catch::Contains("several clusters"));
  CHECK_THAT(complaint(R"({"race-id":"a","track":"t","results":{"op_metrics":[]},"race-timestamp":"soon"})"),
             Catch::Contains("soon"));
  CHECK_THAT(complaint(R"({"race-id":"a","track":"t","results":{}})"), Catch::Contains("results.op_metrics"));
  CHECK_THAT(complaint(R"({"race-id":"a","track":"t","results":{"op_metrics":[{"operation":"q"}]}})"),
             Catch::Contains("op_metrics[0] is not a task"));
}

TEST_CASE("metric documents have Rally's fields", "[rally]") {
  RaceRecord race;
  race.id = "r";
  race.track = "t";
  race.challenge = "c";
  race.user_tags = {{"k", "v"}};
  race.started = WallTime(std::chrono::seconds(1'000));
  TaskResult task;
  task.task = "q";
  task.operation = "search";
  task.operation_type = "search";
  const Instant epoch{};
  Names names;
  Sample sample;
  sample.unit = names.id("ops");
  sample.due = sample.begin = sample.sent = epoch + std::chrono::seconds(2);
  sample.received = sample.end = sample.sent + std::chrono::microseconds(1500);
  sample.took_ms = 1;
  sample.meta = names.id(R"({"hits":7})");
  std::string written;
  write_rally_documents(
      race, task, [&](const auto& use) { use(std::span(&sample, 1)); }, epoch, names,
      [&](const std::string& some) { written += some; });
  std::istringstream lines(written);
  std::vector<Json> documents;
  for (std::string line; std::getline(lines, line);) documents.push_back(parse_json_strictly(line));
  REQUIRE(documents.size() >= 3);
  CHECK(documents[1]["name"] == "service_time");
  CHECK(documents[1]["value"] == 1.5);
  CHECK(documents[1]["@timestamp"] == 1'002'000);
  CHECK(documents[1]["meta"] ==
        Json({{"tag_k", "v"}, {"success", true}, {"client_id", 0}, {"took", 1}, {"hits", 7}}));
  const Json metric =
      parse_json_strictly(rally_document(race, {"merge_time", 5, "ms", epoch, "node-1", "q", Json()}, epoch));
  CHECK(metric["value"] == 5);
  CHECK(metric["meta"]["node_name"] == "node-1");
  CHECK(metric["car"] == "external");
}

TEST_CASE("metric documents come in order of begin, whatever the order of the blocks", "[rally]") {
  const Instant epoch{};
  Names names;
  std::vector<Sample> samples(300);
  for (std::size_t i = 0; i < samples.size(); ++i) {  // two driver threads, one block each after the other
    Sample& sample = samples[i];
    sample.unit = names.id("ops");
    sample.weight = 1;
    const std::size_t place = i / 100 * 100 + (i % 2 == 0 ? i % 100 / 2 : 50 + i % 100 / 2);
    sample.due = sample.begin = sample.sent = epoch + std::chrono::milliseconds(100 * place);
    sample.received = sample.end = sample.sent + std::chrono::milliseconds(1);
  }
  std::vector<double> begins;
  double throughput = 0;
  write_rally_documents(
      {}, {},
      [&](const auto& use) {
        for (std::size_t i = 0; i < 300; i += 100) use(std::span(samples).subspan(i, 100));
      },
      epoch, names,
      [&](const std::string& lines) {
        const Json first = parse_json_strictly(lines.substr(0, lines.find('\n')));
        if (first["name"] == "latency") begins.push_back(first["relative-time"].get<double>());
        if (first["name"] == "throughput") throughput = first["value"].get<double>();
      });
  CHECK(begins.size() == 300);
  CHECK(std::ranges::is_sorted(begins));
  CHECK(throughput == Approx(10).epsilon(0.05));
}

}  // namespace pacenote::reporters::rally_test
