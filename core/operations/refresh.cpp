// Makes what was indexed searchable. Elasticsearch: "Refresh API".
#include <fmt/format.h>

#include "core/operations/planned.hpp"

namespace pacenote {
namespace {

Plan refresh_plan(const Fields& params) {
  const auto names = params.list("index");
  const std::string query = query_of(params.object("request-params"), true);
  return {Method::post, fmt::format("{}/_refresh{}", names.empty() ? "" : path_of(names), query), "",
          Media::none};
}

std::unique_ptr<Runner> refresh_runner(const Operation& operation) {
  return planned_runner(operation, refresh_plan);
}

const Registered<OperationType> refresh_type{"refresh",
                                             {"Makes documents searchable that were indexed before.", true,
                                              true, refresh_runner, constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
