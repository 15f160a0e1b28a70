// Creates an ingest pipeline. Elasticsearch: "Create or update pipeline API".
#include <fmt/format.h>

#include "core/operations/planned.hpp"

namespace pacenote {
namespace {

Plan put_pipeline_plan(const Fields& params) {
  params.mandatory("body");
  Json query = params.object("request-params");
  if (const auto timeout = params.text("master-timeout")) query["master_timeout"] = *timeout;
  if (const auto timeout = params.text("timeout")) query["timeout"] = *timeout;
  return {
      Method::put,
      fmt::format("/_ingest/pipeline/{}{}", url_encode(params.mandatory_text("id")), query_of(query, true)),
      to_text(params.object("body")), Media::json};
}

std::unique_ptr<Runner> put_pipeline_runner(const Operation& operation) {
  return planned_runner(operation, put_pipeline_plan);
}

const Registered<OperationType> put_pipeline_type{
    "put-pipeline",
    {"Creates an ingest pipeline.", true, true, put_pipeline_runner, constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
