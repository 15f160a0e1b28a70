#include "cli/creations.hpp"

#include <fmt/format.h>

#include <utility>

namespace pacenote::cli {
namespace {

constexpr Duration kAskPatience = std::chrono::seconds(2);  // a race that was interrupted ends within 5 s

/// Names of the indices that a task of this operation creates; empty for other operations.
std::vector<std::string> created_by(const Operation& operation, const Track& track) {
  const OperationType* type = Registry<OperationType>::find(operation.type);
  if (type == nullptr || type->creates == nullptr) return {};
  return type->creates(operation, track);
}

using Uuids = std::vector<std::pair<std::string, std::string>>;

/// (name, UUID) of those that exist.
Async<Uuids> index_uuids(Transport& cluster, std::vector<std::string> names) {
  Uuids found;
  for (const std::string& name : names) {
    Request request(Method::get, fmt::format("/{}/_settings", url_encode(name)));
    request.options.timeout = kAskPatience;
    const Response response = co_await cluster.send(request);
    if (response.failure != Failure::none) break;  // the others would take their time as well
    const Json settings = response.ok() ? parse_json(response.body) : Json();
    if (!settings.is_object()) continue;
    for (const auto& [index, value] : settings.items()) {
      const Json::json_pointer uuid("/settings/index/uuid");
      if (value.contains(uuid) && value[uuid].is_string()) found.emplace_back(index, value[uuid]);
    }
  }
  co_return found;
}

}  // namespace

void Creations::note(const std::vector<RunningTask>& tasks) {
  std::vector<std::string> made;
  for (const RunningTask& task : tasks)
    for (std::string& name : created_by(task.task->operation, track_)) made.push_back(std::move(name));
  if (made.empty()) return;
  writer_.post([cluster = cluster_uuid_, uuids = session_.run(index_uuids(
                                             session_.transport(), std::move(made)))](store::Store& store) {
    for (const auto& [index, uuid] : uuids) store.note_created(cluster, index, uuid);
  });
}

}  // namespace pacenote::cli
