// Makes what was indexed searchable. Elasticsearch: "Refresh API".
#include <fmt/format.h>

#include "core/operations/planned.hpp"

namespace pacenote {
namespace {

Plan plan(const Fields& params) {
  const auto names = params.list("index");
  const std::string query = query_of(params.object("request-params"), true);
  return {Method::post, fmt::format("{}/_refresh{}", names.empty() ? "" : path_of(names), query), "",
          Media::none};
}

std::unique_ptr<Runner> make(const Operation& operation) { return planned_runner(operation, plan); }

const Registered<OperationType> registered{"refresh",
                                           {"Makes documents searchable that were indexed before.", true,
                                            true, make, constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
