#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/telemetry/support.hpp"

namespace pacenote::telemetry::node_stats_test {

Json fields_with(const std::string& body, const Json& params) {
  Bench bench;
  const auto device = bench.device("node-stats", params);
  bench.poll(*device, When::interval, body);
  REQUIRE(bench.metrics.named("node-stats").size() == 1);
  return bench.metrics.all.front().fields;
}

bool has_prefix(const Json& fields, const std::string& prefix) {
  for (const auto& [key, value] : fields.items())
    if (key.starts_with(prefix)) return true;
  return false;
}

Json params_of(const std::string& key, const Json& value) {
  Json params = Json::object();
  params[key] = value;
  return params;
}

TEST_CASE("a node's numbers are flattened for each product", "[node_stats]") {
  const std::string product = GENERATE(from_range(kProducts));
  const auto path = test::shared("captures/" + product + "/nodes_stats_all.json");
  if (!path) return;
  const Json fields = fields_with(test::read_file(*path), Json::object());
  for (const auto* prefix :
       {"thread_pool_", "breakers_parent_", "jvm_buffer_pools_direct_", "jvm_mem_heap_", "os_mem_",
        "jvm_gc_collectors_young_", "transport_", "process_cpu_", "fs_total_"})
    CHECK(has_prefix(fields, prefix));
  CHECK_FALSE(has_prefix(fields, "indices_"));
  CHECK(has_prefix(fields, "indexing_pressure_") == (product != "elasticsearch-2.4.1"));
  for (const auto& [key, value] : fields.items()) CHECK((value.is_number() || key == "roles"));
}

TEST_CASE("parameters choose what node-stats keeps", "[node_stats]") {
  const std::string body =
      R"({"nodes":{"i":{"name":"n","indices":{"docs":{"count":5},"store":{"size_in_bytes":6},
    "get":{"total":1}},"jvm":{"mem":{"heap_used_in_bytes":7},"gc":{"collectors":{"young":{"collection_count":8}}}},
    "os":{"mem":{"free_percent":9,"ok":true,"text":"x"},"cgroup":{"cpu":{"stat":{"n":10}}}},
    "fs":{"total":{"free_in_bytes":11},"data":[{"free_in_bytes":12}]}}}})";
  CHECK(to_text(fields_with(body, Json::object())) ==
        R"({"jvm_mem_heap_used_in_bytes":7,"os_mem_free_percent":9,"os_cgroup_cpu_stat_n":10,)"
        R"("jvm_gc_collectors_young_collection_count":8,"fs_total_free_in_bytes":11})");
  CHECK_FALSE(has_prefix(fields_with(body, params_of("node-stats-include-mem", false)), "jvm_mem"));
  CHECK_FALSE(has_prefix(fields_with(body, params_of("node-stats-include-mem", "false")), "os_mem"));
  const Json indices = fields_with(body, params_of("node-stats-include-indices", true));
  CHECK(indices["indices_docs_count"] == 5);
  CHECK_FALSE(indices.contains("indices_get_total"));
  const Json chosen = GENERATE(Json("docs, get"), Json::array({"docs", "get"}));
  const Json some = fields_with(body, params_of("node-stats-include-indices-metrics", chosen));
  CHECK(some["indices_get_total"] == 1);
  CHECK_FALSE(some.contains("indices_store_size_in_bytes"));
}

TEST_CASE("a node without a block and with empty breakers keeps the rest", "[node_stats]") {
  const Json fields = fields_with(
      R"({"nodes":{"i":{"name":"n","breakers":{},"jvm":null,"os":[],"process":{"cpu":{"percent":3}}}}})",
      Json::object());
  CHECK(to_text(fields) == R"({"process_cpu_percent":3})");
}

TEST_CASE("wrong node-stats parameters are refused by name", "[node_stats]") {
  Bench bench;
  const auto wrong =
      GENERATE(values<std::pair<std::string, Json>>({{"node-stats-sample-interval", 0},
                                                     {"node-stats-sample-interval", "fast"},
                                                     {"node-stats-include-fs", 7},
                                                     {"node-stats-include-indices-metrics", 7}}));
  try {
    bench.device("node-stats", params_of(wrong.first, wrong.second));
    FAIL("accepted " << wrong.first);
  } catch (const UserError& error) {
    CHECK(std::string(error.what()).find(wrong.first) != std::string::npos);
  }
}

}  // namespace pacenote::telemetry::node_stats_test
