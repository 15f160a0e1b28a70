// Statistics of indices, and waiting until one of them has a value. Elasticsearch: "Index stats API".
#include <fmt/format.h>

#include "core/operations/condition.hpp"
#include "core/operations/planned.hpp"

namespace pacenote {
namespace {

Plan index_stats_plan(const Fields& params) {
  auto names = params.list("index");
  if (names.empty()) names.emplace_back("_all");
  return {Method::get,
          fmt::format("{}/_stats/_all{}", path_of(names), query_of(params.object("request-params"), true)),
          "", Media::none};
}

std::unique_ptr<Runner> index_stats_runner(const Operation& operation) {
  return asks_for_condition(operation, index_stats_plan,
                            [](std::string_view body) { return parse_json(body); });
}

const Registered<OperationType> index_stats_type{
    "index-stats",
    {"Asks for index statistics; with `condition`, whether one has a value.", false, true, index_stats_runner,
     constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
