// What fields can do. Elasticsearch: "Field capabilities API".
#include <fmt/format.h>

#include "core/operations/planned.hpp"

namespace pacenote {
namespace {

Plan field_caps_plan(const Fields& params) {
  std::vector<std::string> index = params.list("index");
  if (index.empty()) index.emplace_back("_all");
  Json body = params.object("body");
  const Json* fields = params.find("fields");
  body["fields"] = fields == nullptr ? Json("*") : *fields;
  if (const Json* filter = params.find("index_filter")) body["index_filter"] = *filter;
  return {Method::post,
          fmt::format("{}/_field_caps{}", path_of(index), query_of(params.object("request-params"), true)),
          to_text(body), Media::json};
}

std::unique_ptr<Runner> field_caps_runner(const Operation& operation) {
  return planned_runner(operation, field_caps_plan);
}

const Registered<OperationType> field_caps_type{
    "field-caps",
    {"Asks what fields can do.", false, false, field_caps_runner, constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
