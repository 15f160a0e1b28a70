#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/unit/telemetry/support.hpp"

namespace pacenote::telemetry::index_stats_test {

TEST_CASE("index statistics of each product are understood", "[index_stats]") {
  const std::string product = GENERATE(from_range(kProducts));
  const auto path = test::shared("captures/" + product + "/stats_shards.json");
  if (!path) return;
  const Json stats = test::read_json(*path);
  Bench bench;
  const auto device = bench.device("index-stats");
  bench.poll(*device, When::stop, to_text(stats));
  const Json& primaries = stats["_all"]["primaries"];
  CHECK(bench.metrics.value("indexing_total_time") == primaries["indexing"]["index_time_in_millis"]);
  CHECK(bench.metrics.value("merges_total_count") == primaries["merges"]["total"]);
  CHECK(bench.metrics.value("segments_count") == primaries["segments"]["count"]);
  CHECK(bench.metrics.value("segments_terms_memory_in_bytes") ==
        primaries["segments"]["terms_memory_in_bytes"]);
  CHECK(bench.metrics.value("store_size_in_bytes") == stats["_all"]["total"]["store"]["size_in_bytes"]);
  const bool knows_dataset = product == "elasticsearch-7.17.28";
  CHECK((bench.metrics.value("dataset_size_in_bytes") >= 0) == knows_dataset);
  const auto indexing = bench.metrics.named("indexing_total_time");
  REQUIRE(indexing.size() == 1);
  const Json shards = indexing.front().fields["per-shard"];
  CHECK(shards.size() == 2);
  CHECK(shards[0].get<double>() + shards[1].get<double>() == indexing.front().value);
  CHECK(bench.cluster.asked.front().target == "/_stats/_all?level=shards");
}

TEST_CASE("per-shard figures leave replicas out", "[index_stats]") {
  const auto path = test::shared("captures/opensearch-2.19.6/three_nodesr3--stats-level-shards.json");
  if (!path) return;
  Bench bench;
  const auto device = bench.device("index-stats");
  bench.poll(*device, When::stop, test::read_file(*path));
  const auto refresh = bench.metrics.named("refresh_total_time");
  REQUIRE(refresh.size() == 1);
  double sum = 0;
  for (const Json& value : refresh.front().fields["per-shard"]) sum += value.get<double>();
  CHECK(sum == refresh.front().value);
}

TEST_CASE("an index without shards and an empty cluster yield no figures", "[index_stats]") {
  Bench bench;
  const auto device = bench.device("index-stats");
  bench.poll(*device, When::start, R"({"_all":{"primaries":{},"total":{}},"indices":{}})");
  bench.poll(*device, When::stop, R"({"_all":{"primaries":{},"total":{}},"indices":{"a":{}}})");
  bench.poll(*device, When::stop, R"([])");
  CHECK(bench.metrics.all.empty());
}

TEST_CASE("work done before the race is warned of, for six times over two seconds", "[index_stats]") {
  Bench bench;
  const auto device = bench.device("index-stats");
  bench.poll(*device, When::start, R"({"_all":{"primaries":{
    "merges":{"total":9000,"total_time_in_millis":2001,"total_throttled_time_in_millis":2000},
    "indexing":{"index_time_in_millis":12345,"throttle_time_in_millis":0,"index_total":99999},
    "refresh":{"total_time_in_millis":2500},"flush":{"total_time_in_millis":2500}},"total":{}}})");
  REQUIRE(bench.notes.warnings.size() == 4);
  CHECK(bench.notes.warnings[0].starts_with("merges_total_time is 2001 ms"));
  CHECK(bench.notes.warnings[1].starts_with("indexing_total_time is 12345 ms"));
  CHECK(bench.metrics.value("start_indexing_total_time") == 12345);
  CHECK(bench.metrics.value("indexing_total_time") == -1);
}

}  // namespace pacenote::telemetry::index_stats_test
