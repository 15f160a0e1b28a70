// Snapshots and their repositories. Elasticsearch: "Snapshot and restore APIs".
#include <fmt/format.h>

#include "core/operations/planned.hpp"
#include "core/operations/targets.hpp"

namespace pacenote {
namespace {

std::string repository_path(const Fields& params) {
  return fmt::format("/_snapshot/{}", url_encode(params.mandatory_text("repository")));
}

std::string snapshot_path(const Fields& params) {
  return fmt::format("{}/{}", repository_path(params), url_encode(params.mandatory_text("snapshot")));
}

/// With whether the request lasts until the work is done.
std::string waiting_query(const Fields& params) {
  Json query = params.object("request-params");
  query["wait_for_completion"] = params.flag("wait-for-completion").value_or(false);
  return query_of(query, true);
}

Plan create_repository_plan(const Fields& params) {
  params.mandatory("body");
  return {Method::put, repository_path(params) + query_of(params.object("request-params"), true),
          to_text(params.object("body")), Media::json};
}

Plan delete_repository_plan(const Fields& params) {
  Plan out{Method::del, repository_path(params) + query_of(params.object("request-params"), true), "",
           Media::none};
  out.also_good = {404};
  return out;
}

Plan create_snapshot_plan(const Fields& params) {
  params.mandatory("body");
  return {Method::put, snapshot_path(params) + waiting_query(params), to_text(params.object("body")),
          Media::json};
}

Plan restore_snapshot_plan(const Fields& params) {
  return {Method::post, fmt::format("{}/_restore{}", snapshot_path(params), waiting_query(params)),
          to_text(params.object("body")), Media::json};
}

template <Planner plan>
std::unique_ptr<Runner> snapshot_runner(const Operation& operation) {
  return planned_runner(operation, plan);
}

std::vector<Destroys> repository_destroys(const Operation& operation, const Track&) {
  const Fields params(operation.params, operation.name);
  if (!params.text("repository")) return {};
  return {{Destroys::Kind::snapshot_repository, *params.text("repository")}};
}

const Registered<OperationType> create_repository_type{
    "create-snapshot-repository",
    {"Registers a repository for snapshots.", true, true, snapshot_runner<create_repository_plan>,
     constant_params, nullptr, nullptr}};
const Registered<OperationType> delete_repository_type{
    "delete-snapshot-repository",
    {"Forgets a repository for snapshots; what is in it stays.", true, true,
     snapshot_runner<delete_repository_plan>, constant_params, repository_destroys, nullptr}};
const Registered<OperationType> create_snapshot_type{
    "create-snapshot",
    {"Begins a snapshot.", true, false, snapshot_runner<create_snapshot_plan>, constant_params, nullptr,
     nullptr}};
const Registered<OperationType> restore_snapshot_type{
    "restore-snapshot",
    {"Begins to restore a snapshot.", true, false, snapshot_runner<restore_snapshot_plan>, constant_params,
     nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
