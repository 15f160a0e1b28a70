// Asks for all statistics of the nodes, as a request to be measured. Elasticsearch: "Nodes stats API".
#include <fmt/format.h>

#include "core/operations/planned.hpp"

namespace pacenote {
namespace {

Plan node_stats_plan(const Fields& params) {
  return {Method::get, fmt::format("/_nodes/stats/_all{}", query_of(params.object("request-params"), true)),
          "", Media::none};
}

std::unique_ptr<Runner> node_stats_runner(const Operation& operation) {
  return planned_runner(operation, node_stats_plan);
}

const Registered<OperationType> node_stats_type{
    "node-stats",
    {"Asks for the nodes' statistics.", false, false, node_stats_runner, constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
