// Changes settings of the cluster. Elasticsearch: "Cluster update settings API".
#include <fmt/format.h>

#include "core/operations/planned.hpp"

namespace pacenote {
namespace {

Plan plan(const Fields& params) {
  params.mandatory("body");
  const std::string query = query_of(params.object("request-params"), true);
  return {Method::put, fmt::format("/_cluster/settings{}", query), to_text(params.object("body")),
          Media::json};
}

std::unique_ptr<Runner> make(const Operation& operation) { return planned_runner(operation, plan); }

const Registered<OperationType> registered{
    "put-settings",
    {"Changes settings of the cluster.", true, true, make, constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
