// Changes settings of the cluster. Elasticsearch: "Cluster update settings API".
#include <fmt/format.h>

#include "core/operations/planned.hpp"

namespace pacenote {
namespace {

Plan put_settings_plan(const Fields& params) {
  params.mandatory("body");
  const std::string query = query_of(params.object("request-params"), true);
  return {Method::put, fmt::format("/_cluster/settings{}", query), to_text(params.object("body")),
          Media::json};
}

std::unique_ptr<Runner> put_settings_runner(const Operation& operation) {
  return planned_runner(operation, put_settings_plan);
}

const Registered<OperationType> put_settings_type{
    "put-settings",
    {"Changes settings of the cluster.", true, true, put_settings_runner, constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
