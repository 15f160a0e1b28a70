#include "tests/support/catch.hpp"
#include "tests/unit/telemetry/support.hpp"

namespace pacenote::telemetry::jvm_stats_test {

std::string node(const std::string& id, const std::string& collectors) {
  return R"(")" + id + R"(":{"name":"name-)" + id + R"(","jvm":{"gc":{"collectors":{)" + collectors +
         R"(}}}})";
}

std::string collector(const std::string& name, int count, int time) {
  return R"(")" + name + R"(":{"collection_count":)" + std::to_string(count) +
         R"(,"collection_time_in_millis":)" + std::to_string(time) + "}";
}

std::string nodes(const std::string& inner) { return R"({"nodes":{)" + inner + "}}"; }

TEST_CASE("garbage collection is what the race added, per node and in total", "[jvm_stats]") {
  Bench bench;
  const auto device = bench.device("jvm-stats-summary");
  bench.poll(*device, When::start,
             nodes(node("a", collector("young", 10, 100) + "," + collector("ZGC Cycles", 1, 5)) + "," +
                   node("b", collector("young", 50, 900))));
  CHECK(bench.metrics.all.empty());
  bench.poll(*device, When::stop,
             nodes(node("a", collector("young", 15, 160) + "," + collector("ZGC Cycles", 3, 9)) + "," +
                   node("b", collector("young", 2, 20)) + "," + node("late", collector("young", 7, 7))));
  CHECK(bench.metrics.value("node_young_gen_gc_time", "name-a") == 60);
  CHECK(bench.metrics.value("node_young_gen_gc_count", "name-a") == 5);
  CHECK(bench.metrics.value("node_young_gen_gc_time", "name-b") == 0);  // restarted: never negative
  CHECK(bench.metrics.value("node_young_gen_gc_time", "name-late") == -1);
  CHECK(bench.metrics.value("node_total_young_gen_gc_time") == 60);
  CHECK(bench.metrics.value("node_total_young_gen_gc_count") == 5);
  CHECK(bench.metrics.value("node_total_zgc_cycles_gc_count") == 2);
}

TEST_CASE("JVM statistics of each product are understood", "[jvm_stats]") {
  const std::string product = GENERATE(from_range(kProducts));
  const auto path = test::shared("captures/" + product + "/nodes_stats.json");
  if (!path) return;
  Bench bench;
  const auto device = bench.device("jvm-stats-summary");
  const std::string body = test::read_file(*path);
  bench.poll(*device, When::start, body);
  bench.poll(*device, When::stop, body);
  CHECK(bench.metrics.value("node_total_young_gen_gc_time") == 0);
  CHECK(bench.metrics.value("node_total_old_gen_gc_count") == 0);
  const auto pools = bench.metrics.named("jvm_memory_pool_stats");
  REQUIRE(pools.size() == 1);
  CHECK(pools.front().node == "node-1");
  CHECK(pools.front().fields["young"]["peak_usage"].get<double>() > 0);
}

TEST_CASE("without figures from the start there are none at the end", "[jvm_stats]") {
  Bench bench;
  const auto device = bench.device("jvm-stats-summary");
  bench.poll(*device, When::stop, nodes(node("a", collector("young", 15, 160))));
  CHECK(bench.metrics.all.empty());
}

}  // namespace pacenote::telemetry::jvm_stats_test
