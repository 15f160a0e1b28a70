#include "tests/support/catch.hpp"
#include "tests/unit/telemetry/support.hpp"

namespace pacenote::telemetry::environment_test {

TEST_CASE("the cluster's identity is kept for each product", "[environment]") {
  const std::string product = GENERATE(from_range(kProducts));
  const auto path = test::shared("captures/" + product + "/root.json");
  if (!path) return;
  Bench bench;
  const auto device = bench.device("cluster-environment-info");
  bench.poll(*device, When::start, test::read_file(*path));
  REQUIRE(bench.metrics.all.size() == 1);
  const Json& fields = bench.metrics.all.front().fields;
  CHECK(fields["distribution_version"] == product.substr(product.find('-') + 1));
  CHECK(fields["distribution_flavor"] == "oss");
  CHECK(fields["target_id"] == "bench");
  CHECK(fields["target_platform"] == "on-prem");
  CHECK(fields["target_auth_type"] == "basic");
}

TEST_CASE("the nodes' machines are kept for each product", "[environment]") {
  const std::string product = GENERATE(from_range(kProducts));
  const auto stats = test::shared("captures/" + product + "/nodes_stats.json");
  const auto infos = test::shared("captures/" + product + "/nodes.json");
  if (!stats || !infos) return;
  Bench bench;
  const auto device = bench.device("external-environment-info");
  bench.cluster.script.push_back(answer(200, test::read_file(*stats)));
  bench.poll(*device, When::start, test::read_file(*infos));
  REQUIRE(bench.metrics.all.size() == 1);
  const Metric& metric = bench.metrics.all.front();
  CHECK(metric.node == "node-1");
  CHECK(metric.fields["host_name"] == "127.0.0.1");
  CHECK(metric.fields["os_name"] == "Linux");
  CHECK(metric.fields["cpu_logical_cores"] == 2);
  CHECK(metric.fields["jvm_version"] == "17.0.15");
  CHECK(metric.fields["plugins"].is_array());
}

}  // namespace pacenote::telemetry::environment_test
