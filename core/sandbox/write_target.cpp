// Which index a document goes to.
#include <fmt/format.h>

#include "core/sandbox/write.hpp"

namespace pacenote::sandbox {
namespace {

Index* refuse(Written& written, int status, std::string type, std::string reason, Json extra = nullptr) {
  written.status = status;
  written.error_type = std::move(type);
  written.error_reason = std::move(reason);
  written.error_extra = std::move(extra);
  return nullptr;
}

bool bad_name(const std::string& name) {
  return name.front() == '_' || name.front() == '-' ||
         name.find_first_of("\\/*?\"<>| ,#:") != std::string::npos ||
         std::any_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool may_create(const State& state) {
  const std::string key = "action.auto_create_index";
  for (const Json* settings : {&state.transient, &state.persistent})
    if (settings->contains(key)) return settings->at(key) != "false";
  return true;
}

std::string existing_target(const State& state, const std::string& name) {
  if (const auto stream = state.data_streams.find(name); stream != state.data_streams.end())
    return stream->second.indices.back();
  if (state.indices.contains(name)) return name;
  for (const auto& [id, index] : state.indices)
    if (index.aliases.contains(name)) return id;
  return {};
}

std::string created_target(State& state, const std::string& name, Instant now) {
  const std::string chosen = matching_template(state, name);
  if (!chosen.empty() && state.index_templates.at(chosen).contains("data_stream"))
    return make_data_stream(state, name, chosen, now).indices.back();
  return make_index(state, name, Json::object(), now).name;
}

}  // namespace

Index* writable_index(State& state, const BulkAction& action, Written& written, Instant now) {
  written.name = action.index;
  std::string target = existing_target(state, action.index);
  if (target.empty()) {
    if (bad_name(action.index))
      return refuse(written, 400, "invalid_index_name_exception",
                    fmt::format("Invalid index name [{}], must be lowercase and hold no special characters",
                                action.index),
                    {{"index_uuid", "_na_"}, {"index", action.index}});
    if (!may_create(state))
      return refuse(written, 404, "index_not_found_exception",
                    fmt::format("no such index [{}]", action.index),
                    {{"index_uuid", "_na_"}, {"index", action.index}});
    target = created_target(state, action.index, now);
  }
  Index& index = state.indices.at(target);
  written.name = index.name;
  if (index.data_stream == action.index && action.op != Op::create)
    return refuse(written, 400, "illegal_argument_exception",
                  "only write ops with an op_type of create are allowed in data streams");
  if (index.closed)
    return refuse(written, 400, "index_closed_exception", "closed",
                  {{"index_uuid", index.uuid}, {"index", index.name}});
  if (index.write_blocked)
    return refuse(written, 403, "cluster_block_exception",
                  fmt::format("index [{}] blocked by: [FORBIDDEN/8/index write (api)];", index.name));
  return &index;
}

}  // namespace pacenote::sandbox
