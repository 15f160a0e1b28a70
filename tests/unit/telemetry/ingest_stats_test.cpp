#include "tests/support/catch.hpp"
#include "tests/unit/telemetry/support.hpp"

namespace pacenote::telemetry::ingest_stats_test {

const std::string kBefore = R"({"nodes":{"a":{"name":"n","ingest":{
  "total":{"count":10,"time_in_millis":5,"failed":1},
  "pipelines":{"p":{"count":10,"time_in_millis":5,"failed":1,"processors":[
    {"set":{"type":"set","stats":{"count":10,"time_in_millis":1,"failed":0}}}]}}}},
  "c":{"name":"no-ingest"}}})";
const std::string kAfter = R"({"nodes":{"a":{"name":"n","ingest":{
  "total":{"count":110,"time_in_millis":45,"failed":3},
  "pipelines":{"p":{"count":60,"time_in_millis":25,"failed":1,"processors":[
    {"set":{"type":"set","stats":{"count":60,"time_in_millis":11,"failed":0}}},
    {"set":{"type":"set","stats":{"count":50,"time_in_millis":4,"failed":2}}}]},
    "new":{"count":50,"time_in_millis":20,"failed":2}}}},
  "late":{"name":"late","ingest":{"total":{"count":7}}},"c":{"name":"no-ingest"}}})";

TEST_CASE("ingest work is what the race added", "[ingest_stats]") {
  Bench bench;
  const auto device = bench.device("ingest-pipeline-stats");
  bench.poll(*device, When::start, kBefore);
  bench.poll(*device, When::stop, kAfter);
  CHECK(bench.metrics.value("ingest_pipeline_cluster_count") == 100);
  CHECK(bench.metrics.value("ingest_pipeline_cluster_time") == 40);
  CHECK(bench.metrics.value("ingest_pipeline_cluster_failed") == 2);
  CHECK(bench.metrics.value("ingest_pipeline_node_count", "n") == 100);
  CHECK(bench.metrics.value("ingest_pipeline_node_count", "late") == -1);
  const auto pipelines = bench.metrics.named("ingest_pipeline_pipeline_count");
  REQUIRE(pipelines.size() == 2);
  CHECK(pipelines[0].fields["pipeline_name"] == "new");
  CHECK(pipelines[0].value == 50);
  CHECK(pipelines[1].value == 50);
  const auto processors = bench.metrics.named("ingest_pipeline_processor_time");
  REQUIRE(processors.size() == 2);
  CHECK(to_text(processors[0].fields) == R"({"processor_name":"set_1","type":"set","pipeline_name":"p"})");
  CHECK(processors[0].value == 10);
  CHECK(processors[1].fields["processor_name"] == "set_2");
  CHECK(processors[1].value == 4);
  CHECK(processors[1].unit == "ms");
}

TEST_CASE("ingest statistics of each product are understood, also where there are none", "[ingest_stats]") {
  const std::string product = GENERATE(from_range(kProducts));
  const auto path = test::shared("captures/" + product + "/nodes_stats.json");
  if (!path) return;
  Bench bench;
  const auto device = bench.device("ingest-pipeline-stats");
  const std::string body = test::read_file(*path);
  bench.poll(*device, When::start, body);
  bench.poll(*device, When::stop, body);
  CHECK(bench.metrics.value("ingest_pipeline_cluster_count") == (product == "elasticsearch-2.4.1" ? -1 : 0));
}

}  // namespace pacenote::telemetry::ingest_stats_test
