// Asks for all statistics of the nodes, as a request to be measured. Elasticsearch: "Nodes stats API".
#include <fmt/format.h>

#include "core/operations/planned.hpp"

namespace pacenote {
namespace {

Plan plan(const Fields& params) {
  return {Method::get, fmt::format("/_nodes/stats/_all{}", query_of(params.object("request-params"), true)),
          "", Media::none};
}

std::unique_ptr<Runner> make(const Operation& operation) { return planned_runner(operation, plan); }

const Registered<OperationType> registered{
    "node-stats", {"Asks for the nodes' statistics.", false, false, make, constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
