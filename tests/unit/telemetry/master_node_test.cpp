#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/telemetry/support.hpp"

namespace pacenote::telemetry::master_node_test {

TEST_CASE("the elected master is named at each interval", "[master_node]") {
  Bench bench;
  const auto device = bench.device("master-node-stats");
  CHECK(device->interval() == std::chrono::seconds(30));
  bench.cluster.script.push_back(answer(200, R"({"cluster_name":"c","master_node":"x/y"})"));
  bench.poll(*device, When::interval, R"({"nodes":{"x/y":{"name":"leader"}}})");
  REQUIRE(bench.cluster.asked.size() == 2);
  CHECK(bench.cluster.asked[0].target == "/_cluster/state/master_node");
  CHECK(bench.cluster.asked[1].target == "/_nodes/x%2Fy/os");
  REQUIRE(bench.metrics.all.size() == 1);
  CHECK(bench.metrics.all[0].fields["node"] == "leader");
}

TEST_CASE("while no master is elected nothing is written", "[master_node]") {
  Bench bench;
  const auto device = bench.device("master-node-stats");
  bench.poll(*device, When::interval, R"({"master_node":null})");
  CHECK(bench.metrics.all.empty());
}

TEST_CASE("the master's interval is a positive number", "[master_node]") {
  Bench bench;
  Json params = Json::object();
  params["master-node-stats-sample-interval"] = 0.5;
  CHECK(bench.device("master-node-stats", params)->interval() == std::chrono::milliseconds(500));
  params["master-node-stats-sample-interval"] = GENERATE(Json(0), Json(-1), Json("x"), Json());
  CHECK_THROWS_AS(bench.device("master-node-stats", params), UserError);
}

}  // namespace pacenote::telemetry::master_node_test
