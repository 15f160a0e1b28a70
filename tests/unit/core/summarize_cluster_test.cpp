#include <fmt/format.h>

#include "core/summarize.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"

namespace pacenote::summarize_cluster_test {

Metric metric(const std::string& name, double value, const std::string& unit = "ms",
              std::vector<double> shards = {}) {
  Metric out;
  out.name = name;
  out.value = value;
  out.unit = unit;
  if (!shards.empty()) out.fields["per-shard"] = shards;
  return out;
}

TEST_CASE("without telemetry every cluster-wide figure is null or empty", "[summarize_cluster]") {
  const Json out = summarize_cluster({});
  CHECK(out["total_time"].is_null());
  CHECK(out["total_time_per_shard"] == Json::object());
  CHECK(out["segment_count"].is_null());
  CHECK(out["young_gc_time"].is_null());
  CHECK(out["ml_processing_time"] == Json::array());
  CHECK(out["pacenote"]["growth"] == Json::object());
}

TEST_CASE("the cluster-wide fields are Rally's, in Rally's order", "[summarize_cluster]") {
  const auto path = test::shared("rally/golden/race.json");
  if (!path) return;
  Json expected = test::read_json(*path)["results"];
  expected.erase("op_metrics");
  expected.erase("cluster_name");
  std::vector<Metric> metrics{
      metric("indexing_total_time", 61000, "ms", {61000}),
      metric("indexing_throttle_time", 0, "ms", {0}),
      metric("merges_total_time", 5000, "ms", {5000}),
      metric("merges_total_count", 7, ""),
      metric("refresh_total_time", 10, "ms", {10}),
      metric("refresh_total_count", 3, ""),
      metric("flush_total_time", 1, "ms", {1}),
      metric("flush_total_count", 1, ""),
      metric("merges_total_throttled_time", 0, "ms", {0}),
      metric("segments_memory_in_bytes", 0, "byte"),
      metric("dataset_size_in_bytes", 123456789, "byte"),
      metric("store_size_in_bytes", 123456789, "byte"),
      metric("translog_size_in_bytes", 55, "byte"),
      metric("segments_count", 12, ""),
      metric("ingest_pipeline_cluster_count", 0, ""),
      metric("ingest_pipeline_cluster_time", 0),
      metric("ingest_pipeline_cluster_failed", 0, ""),
  };
  Json out = summarize_cluster(metrics);
  out.erase("pacenote");
  CHECK(to_text(out) == to_text(expected));
}

TEST_CASE("times are summed, memory is a median, figures of single nodes do not count",
          "[summarize_cluster]") {
  Metric of_a_node = metric("node_total_young_gen_gc_time", 1000);
  of_a_node.node = "n1";
  const std::vector<Metric> metrics{metric("node_total_young_gen_gc_time", 10),
                                    metric("node_total_young_gen_gc_time", 32),
                                    of_a_node,
                                    metric("segments_memory_in_bytes", 1),
                                    metric("segments_memory_in_bytes", 2),
                                    metric("segments_count", 4),
                                    metric("segments_count", 5),
                                    metric("flush_total_time", 7, "ms", {1, 2, 4, 9})};
  const Json out = summarize_cluster(metrics);
  CHECK(out["young_gc_time"] == 42);
  CHECK(out["memory_segments"] == 1.5);
  CHECK(out["segment_count"] == 4);
  CHECK(to_text(out["flush_time_per_shard"]) == R"({"min":1,"median":3,"max":9,"unit":"ms"})");
}

TEST_CASE("what the race added stands beside the totals", "[summarize_cluster]") {
  const std::vector<Metric> metrics{metric("start_indexing_total_time", 100),
                                    metric("indexing_total_time", 350), metric("start_flush_total_time", 100),
                                    metric("flush_total_time", 50),
                                    metric("start_store_size_in_bytes", 1, "byte")};
  const Json out = summarize_cluster(metrics);
  CHECK(to_text(out["pacenote"]["growth"]) == R"({"total_time":250})");
}

}  // namespace pacenote::summarize_cluster_test
