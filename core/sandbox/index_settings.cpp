// Settings and mappings of indices that exist.
#include <fmt/format.h>

#include "core/sandbox/handlers.hpp"

namespace pacenote::sandbox {
namespace {

Json shown_settings(const Index& index, const std::string& filter, bool flat) {
  Json named = Json::object();
  for (const auto& [key, value] : index.settings.items()) {
    const std::string name = fmt::format("index.{}", key);
    if (filter.empty() || filter == "_all" || wildcard_match(filter, name)) named[name] = value;
  }
  return flat ? named : nested_settings(named);
}

/// Settings that cannot change while an index is open.
bool is_static(const std::string& name) {
  return name == "number_of_shards" || name == "codec" || name == "routing_partition_size" ||
         name.starts_with("sort.") || name == "number_of_routing_shards";
}

std::optional<Answer> refuse_static(const Index& index, const Json& changes) {
  for (const auto& [key, value] : changes.items())
    if (is_static(key) && (!index.closed || key == "number_of_shards"))
      return error_answer(
          400, "illegal_argument_exception",
          fmt::format("Can't update non dynamic settings [[index.{}]] for open indices [[{}/{}]]", key,
                      index.name, index.uuid));
  return std::nullopt;
}

void apply_settings(Index& index, const Json& changes, bool preserve) {
  for (const auto& [key, value] : changes.items()) {
    if (preserve && index.settings.contains(key)) continue;
    if (value.is_null())
      index.settings.erase(key);
    else
      index.settings[key] = value;
  }
  if (!index.settings.contains("number_of_replicas")) index.settings["number_of_replicas"] = "1";
  index.settings_changed();
}

}  // namespace

Answer get_settings(State& state, const Call& call) {
  std::vector<std::string> names;
  Answer answer;
  if (!resolve(state, call, names, answer)) return answer;
  Json out = Json::object();
  for (const std::string& name : names) {
    out[name]["settings"] =
        shown_settings(state.indices.at(name), call.at("name"), call.asked.flag("flat_settings"));
    if (call.asked.flag("include_defaults")) {
      const Json defaults = {{"index.refresh_interval", "1s"},
                             {"index.translog.flush_threshold_size", "512mb"}};
      out[name]["defaults"] = call.asked.flag("flat_settings") ? defaults : nested_settings(defaults);
    }
  }
  return json_answer(out);
}

Answer put_settings(State& state, const Call& call) {
  std::vector<std::string> names;
  Answer answer;
  Json body;
  if (!resolve(state, call, names, answer) || !json_body(call, body, answer)) return answer;
  if (body.empty()) return error_answer(400, "parse_exception", "request body is required");
  const Json changes = index_settings(body.contains("settings") ? body["settings"] : body);
  if (auto refusal = refuse_settings(changes)) return *refusal;
  for (const std::string& name : names)
    if (auto refusal = refuse_static(state.indices.at(name), changes)) return *refusal;
  for (const std::string& name : names)
    apply_settings(state.indices.at(name), changes, call.asked.flag("preserve_existing"));
  return acknowledged();
}

Answer get_mapping(State& state, const Call& call) {
  std::vector<std::string> names;
  Answer answer;
  if (!resolve(state, call, names, answer)) return answer;
  Json out = Json::object();
  for (const std::string& name : names) out[name]["mappings"] = state.indices.at(name).mappings;
  return json_answer(out);
}

Answer put_mapping(State& state, const Call& call) {
  std::vector<std::string> names;
  Answer answer;
  Json body;
  if (!resolve(state, call, names, answer) || !json_body(call, body, answer)) return answer;
  if (body.empty())
    return error_answer(400, "action_request_validation_exception",
                        "Validation Failed: 1: mapping source is empty;");
  for (const std::string& name : names) state.indices.at(name).mappings.merge_patch(body);
  return acknowledged();
}

}  // namespace pacenote::sandbox
