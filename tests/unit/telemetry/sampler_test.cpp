#include "telemetry/sampler.hpp"

#include "tests/support/catch.hpp"
#include "tests/unit/telemetry/support.hpp"

namespace pacenote::telemetry::sampler_test {

using std::chrono::seconds;

/// Ends the race with the request that is sent at or after `end`.
struct Race : Bench {
  Stop stop;
  Sampler sampler{"node-stats", device("node-stats")};
  Instant start = clock.now();
  std::vector<Duration> at;

  void run(Duration end, std::function<test::Reply(Duration)> reply) {
    cluster.answer = [this, end, reply = std::move(reply)](const test::Asked&) {
      const Duration now = clock.now() - start;
      at.push_back(now);
      if (now >= end) stop.request(StopReason::completed);
      return reply(now);
    };
    test::run(sampler.until(probe, stop));
    sampler.sum_up(notes);
  }
};

const std::string kNodes = R"({"nodes":{"i":{"name":"n"}}})";

test::Reply good() { return answer(200, kNodes); }

TEST_CASE("samples are due at multiples of the interval, without drift", "[sampler]") {
  Race race;
  race.run(seconds(10), [](Duration) {
    test::Reply reply = good();
    reply.takes = std::chrono::milliseconds(300);
    return reply;
  });
  REQUIRE(race.at.size() == 10);
  for (std::size_t i = 0; i < race.at.size(); ++i) CHECK(race.at[i] == seconds(i + 1));
  CHECK(race.metrics.all.size() == 10);
  CHECK(race.metrics.all[0].at == race.start + std::chrono::milliseconds(1300));
  CHECK(race.notes.warnings.empty());
}

TEST_CASE("while the cluster answers 503 samples are missing, then they come again", "[sampler]") {
  Race race;
  race.run(seconds(10),
           [](Duration now) { return now >= seconds(4) && now <= seconds(6) ? answer(503, "{}") : good(); });
  CHECK(race.metrics.all.size() == 7);
  CHECK(race.notes.infos == std::vector<std::string>{"node-stats: a sample is missing (503); it goes on"});
  CHECK(race.notes.warnings == std::vector<std::string>{"node-stats: 3 of 10 samples missing (503)"});
}

TEST_CASE("a device that the cluster does not offer is switched off with one line", "[sampler]") {
  const int status = GENERATE(403, 404, 410, 500);
  Race race;
  race.run(seconds(10), [status](Duration) {
    return answer(status, status == 500 ? "uri is not available in serverless mode" : "");
  });
  CHECK(race.at.size() == 1);
  REQUIRE(race.notes.warnings.size() == 1);
  CHECK(race.notes.warnings[0].starts_with("node-stats: switched off"));
  CHECK(race.notes.infos.empty());
  test::run(race.sampler.once(race.probe, When::stop));
  CHECK(race.at.size() == 1);
}

TEST_CASE("slow answers leave out the ticks that pass meanwhile", "[sampler]") {
  Race race;
  race.run(seconds(9), [](Duration) {
    test::Reply reply = good();
    reply.takes = std::chrono::milliseconds(7500);
    return reply;
  });
  REQUIRE(race.at.size() == 2);
  CHECK(race.at[0] == seconds(1));
  CHECK(race.at[1] == seconds(9));
  CHECK(race.metrics.all[0].at == race.start + std::chrono::milliseconds(8500));
  REQUIRE(race.notes.warnings.size() == 1);
  CHECK(race.notes.warnings[0] == "node-stats: 14 of 16 samples missing (slow answers)");
}

TEST_CASE("a request that hangs until the end of the race is a gap, one just under way is none",
          "[sampler]") {
  const auto [takes, warnings] = GENERATE(table<int, std::vector<std::string>>(
      {{3500, {"node-stats: 4 of 4 samples missing (slow answers)"}}, {500, {}}}));
  Race race;
  race.run(seconds(1), [takes = takes](Duration) {
    test::Reply reply = good();
    reply.failure = Failure::interrupted;
    reply.takes = std::chrono::milliseconds(takes);
    return reply;
  });
  CHECK(race.at.size() == 1);
  CHECK(race.notes.warnings == warnings);
}

TEST_CASE("an answer that is no JSON is a missing sample", "[sampler]") {
  Race race;
  race.run(seconds(2), [](Duration) { return answer(200, "<html>"); });
  CHECK(race.notes.warnings ==
        std::vector<std::string>{"node-stats: 2 of 2 samples missing (unreadable answer)"});
}

TEST_CASE("whatever a node answers, no device throws", "[sampler]") {
  const std::string body = GENERATE(
      "", "null", "[]", "7", R"("x")", "{}", R"({"nodes":7})", R"({"nodes":{"a":null}})",
      R"({"nodes":{"a":[]}})",
      R"({"nodes":{"a":{"name":3,"jvm":{"gc":{"collectors":{"young":1}},"mem":{"pools":[]}},"ingest":[],"fs":7}}})",
      R"({"nodes":{"a":{"ingest":{"total":3,"pipelines":{"p":{"processors":[3,{"a":3},{"b":{"stats":null}}]}}}}}})",
      R"({"_all":{"primaries":{"merges":[]}},"indices":{"a":{"shards":{"0":[3,{"routing":3}],"1":4}}}})",
      R"({"master_node":5,"version":[]})");
  for (const auto& [name, type] : Registry<DeviceType>::all()) {
    Bench bench;
    Sampler sampler(name, bench.device(name));
    bench.cluster.otherwise = answer(200, body);
    for (const When when : {When::start, When::interval, When::stop})
      CHECK_NOTHROW(test::run(sampler.once(bench.probe, when)));
  }
}

TEST_CASE("a start poll that fails is said once and the stop poll is tried", "[sampler]") {
  Bench bench;
  Sampler sampler("index-stats", bench.device("index-stats"));
  bench.cluster.script.push_back(answer(503, "{}"));
  bench.cluster.otherwise = answer(200, R"({"_all":{"primaries":{"segments":{"count":3}}}})");
  test::run(sampler.once(bench.probe, When::start));
  CHECK(bench.notes.warnings == std::vector<std::string>{"index-stats: no figures from the start (503)"});
  test::run(sampler.once(bench.probe, When::stop));
  CHECK(bench.metrics.value("segments_count") == 3);
}

}  // namespace pacenote::telemetry::sampler_test
