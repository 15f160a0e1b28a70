#include "reporters/metrics.hpp"

#include "reporters/race_report.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::reporters::metrics_test {

TEST_CASE("what telemetry told is a table at full precision", "[metrics]") {
  const Instant epoch{};
  const Json pools = {{"young", {{"peak_usage", 12}}}};
  const std::vector<Metric> metrics = {
      {"node_young_gc_time", 0.1 + 0.2, "ms", epoch + std::chrono::milliseconds(1500), "node,1", "index"},
      {"jvm_memory_pool_stats", std::nullopt, "", epoch, "node-2", "", pools}};
  ReportOptions options;
  options.format = "csv";
  const std::string csv = write(metrics_table(metrics, epoch), options).text;
  CHECK(csv ==
        "relative_s,metric,value,unit,node,task,fields\r\n"
        "1.5,node_young_gc_time,0.30000000000000004,ms,\"node,1\",index,\r\n"
        "0.0,jvm_memory_pool_stats,,,node-2,,\"{\"\"young\"\":{\"\"peak_usage\"\":12}}\"\r\n");
  options.format = "json";
  const Json document = parse_json(write(metrics_table(metrics, epoch), options).text);
  CHECK(document.at("rows").at(1).at("fields") == pools);  // not as text
}

}  // namespace pacenote::reporters::metrics_test
