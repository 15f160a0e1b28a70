// A track as the index of the public tracks has it (../shared/tracks, `spec_sha256`): what Rally made of it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/track.hpp"

namespace pacenote::test {

/// Keys sorted at every level.
inline Json key_sorted(const Json& json) {
  if (json.is_array()) {
    Json out = Json::array();
    for (const Json& one : json) out.push_back(key_sorted(one));
    return out;
  }
  if (!json.is_object()) return json;
  std::vector<std::pair<std::string, const Json*>> members;
  for (auto it = json.begin(); it != json.end(); ++it) members.emplace_back(it.key(), &it.value());
  std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Json out = Json::object();
  auto& object = out.get_ref<Json::object_t&>();
  // Not by key: each would be looked for among those before it.
  for (const auto& [key, value] : members)
    object.Json::object_t::Container::emplace_back(key, key_sorted(*value));
  return out;
}

/// Keys sorted, no spaces, ASCII only.
inline std::string canonical(const Json& json) { return key_sorted(json).dump(-1, ' ', true); }

inline Json spec_of(const Task& task) {
  Json out = {{"clients", task.clients},
              {"name", task.name},
              {"operation", task.operation.name},
              {"type", task.operation.type}};
  if (!task.operation.param_source.empty()) out["param-source"] = task.operation.param_source;
  if (!task.tags.empty()) out["tags"] = task.tags;
  if (task.completes_parent || task.any_completes_parent) out["completes-parent"] = true;
  for (const char* key :
       {"iterations", "warmup-iterations", "time-period", "warmup-time-period", "ramp-up-time-period",
        "target-throughput", "target-interval", "schedule", "ignore-response-error-level"})
    if (task.params.contains(key) && task.params[key] != Json(0)) out[key] = task.params[key];
  return out;
}

inline Json spec_of(const Challenge& challenge) {
  Json schedule = Json::array();
  for (const Parallel& step : challenge.schedule) {
    Json tasks = Json::array();
    for (const Task& task : step.tasks) tasks.push_back(spec_of(task));
    schedule.push_back(step.tasks.size() > 1 || step.clients
                           ? Json{{"parallel", {{"clients", step.client_slots()}, {"tasks", tasks}}}}
                           : tasks[0]);
  }
  return {{"default", challenge.is_default}, {"name", challenge.name}, {"schedule", schedule}};
}

inline Json spec_of(const Documents& documents) {
  const auto text = [](const std::string& value) { return value.empty() ? Json() : Json(value); };
  const auto bytes = [](const std::optional<std::uint64_t>& value) { return value ? Json(*value) : Json(); };
  return {{"archive", text(documents.archive)},
          {"base-url", text(documents.base_url)},
          {"compressed", bytes(documents.compressed_bytes)},
          {"data-stream", text(documents.target_data_stream)},
          {"docs", documents.count},
          {"file", documents.file},
          {"index", documents.includes_action_and_meta_data || !documents.target_data_stream.empty()
                        ? Json()
                        : Json(documents.target_index)},
          {"meta", documents.includes_action_and_meta_data},
          {"uncompressed", bytes(documents.uncompressed_bytes)}};
}

inline Json spec_of(const std::vector<Template>& templates) {
  Json out = Json::array();
  for (const Template& one : templates) out.push_back({{"content", one.body}, {"name", one.name}});
  return out;
}

inline Json spec_of(const Track& track) {
  Json out = {{"challenges", Json::array()},
              {"corpora", Json::array()},
              {"indices", Json::array()},
              {"data-streams", Json::array()}};
  for (const Challenge& challenge : track.challenges) out["challenges"].push_back(spec_of(challenge));
  for (const Corpus& corpus : track.corpora) {
    Json documents = Json::array();
    for (const Documents& one : corpus.documents) documents.push_back(spec_of(one));
    out["corpora"].push_back({{"documents", documents}, {"name", corpus.name}});
  }
  for (const Index& index : track.indices)
    out["indices"].push_back({{"body", index.body}, {"name", index.name}});
  for (const DataStream& stream : track.data_streams) out["data-streams"].push_back(stream.name);
  out["templates"] = spec_of(track.templates);
  out["composable-templates"] = spec_of(track.composable_templates);
  out["component-templates"] = spec_of(track.component_templates);
  return out;
}

}  // namespace pacenote::test
