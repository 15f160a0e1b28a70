// Ingest pipelines, and OpenSearch's search pipelines. Elasticsearch: "Create or update pipeline API",
// OpenSearch: "Search pipelines"; the types beside put-pipeline are OpenSearch Benchmark's.
#include <fmt/format.h>

#include "core/operations/planned.hpp"

namespace pacenote {
namespace {

std::string pipeline_target(const Fields& params, std::string_view path) {
  Json query = params.object("request-params");
  if (const auto timeout = params.text("master-timeout")) query["master_timeout"] = *timeout;
  if (const auto timeout = params.text("timeout")) query["timeout"] = *timeout;
  return fmt::format("{}/{}{}", path, url_encode(params.mandatory_text("id")), query_of(query, true));
}

Plan put_any_pipeline(const Fields& params, std::string_view path) {
  params.mandatory("body");
  return {Method::put, pipeline_target(params, path), to_text(params.object("body")), Media::json};
}

Plan put_pipeline_plan(const Fields& params) { return put_any_pipeline(params, "/_ingest/pipeline"); }
Plan put_search_pipeline_plan(const Fields& params) { return put_any_pipeline(params, "/_search/pipeline"); }

Plan delete_pipeline_plan(const Fields& params) {
  Plan out{Method::del, pipeline_target(params, "/_ingest/pipeline"), "", Media::none};
  out.also_good = {404};
  return out;
}

template <Planner plan>
std::unique_ptr<Runner> pipeline_runner(const Operation& operation) {
  return planned_runner(operation, plan);
}

std::vector<Destroys> pipeline_destroys(const Operation& operation, const Track&) {
  const auto id = Fields(operation.params, operation.name).text("id");
  if (!id) return {};
  return {{Destroys::Kind::pipeline, *id}};
}

const Registered<OperationType> put_pipeline_type{
    "put-pipeline",
    {"Creates an ingest pipeline.", true, true, pipeline_runner<put_pipeline_plan>, constant_params, nullptr,
     nullptr}};
const Registered<OperationType> create_search_pipeline_type{
    "create-search-pipeline",
    {"Creates a search pipeline of OpenSearch.", true, true, pipeline_runner<put_search_pipeline_plan>,
     constant_params, nullptr, nullptr}};
const Registered<OperationType> delete_pipeline_type{
    "delete-pipeline",
    {"Deletes an ingest pipeline, if it exists.", true, true, pipeline_runner<delete_pipeline_plan>,
     constant_params, pipeline_destroys, nullptr}};

}  // namespace
}  // namespace pacenote
