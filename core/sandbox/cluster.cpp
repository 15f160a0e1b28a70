// The cluster as a whole: greeting, settings, state, stats.
#include <fmt/format.h>

#include "core/sandbox/handlers.hpp"

namespace pacenote::sandbox {
namespace {

struct Product {
  std::string_view number, hash, date, lucene, wire, index;
};

Product product(Flavor flavor) {
  switch (flavor) {
    case Flavor::opensearch_2:
      return {"2.19.6",
              "97d3c13bf22a4a72ac11dc503fe44c97662b9161",
              "2026-07-01T04:27:16.038403104Z",
              "9.12.3",
              "7.10.0",
              "7.0.0"};
    case Flavor::elasticsearch_7:
      return {"7.17.28",
              "139cb5a961d8de68b8e02c45cc47f5289a3623af",
              "2025-02-20T09:05:31.349013687Z",
              "8.11.3",
              "6.8.0",
              "6.0.0-beta1"};
    case Flavor::elasticsearch_8:
      break;
  }
  return {"8.15.5",
          "b10896e6ec8ecb8ad8dd0f6b1e4dd4a4c0e8a0ac",
          "2024-11-13T15:13:45.115234560Z",
          "9.11.1",
          "7.17.0",
          "7.0.0"};
}

/// {"transient": {"a": {"b": 1}}} put into flat settings; nulls (and "a.*") take away.
void apply(Json& settings, const Json& changes) {
  const Json flat = flat_settings(changes);
  for (const auto& [key, value] : flat.items()) {
    if (!value.is_null()) {
      settings[key] = value;
      continue;
    }
    std::vector<std::string> gone;
    for (const auto& [name, ignored] : settings.items())
      if (wildcard_match(key, name)) gone.push_back(name);
    for (const std::string& name : gone) settings.erase(name);
  }
}

Json shown(const Json& flat, const Call& call) {
  return call.asked.flag("flat_settings") ? flat : nested_settings(flat);
}

bool known_cluster_setting(std::string_view name) {
  for (const std::string_view known : {"action.",    "cluster.",    "indices.",       "search.",
                                       "logger.",    "ingest.",     "node.",          "thread_pool.",
                                       "discovery.", "xpack.",      "http.",          "transport.",
                                       "script.",    "breaker.",    "network.",       "persistent_tasks.",
                                       "plugins.",   "snapshot.",   "slm.",           "gateway.",
                                       "knn.",       "opensearch.", "compatibility.", "point_in_time."})
    if (name.starts_with(known)) return true;
  return false;
}

}  // namespace

std::string_view version_number(Flavor flavor) { return product(flavor).number; }
std::string_view build_hash(Flavor flavor) { return product(flavor).hash; }

Answer root(State& state, const Call&) {
  const Product p = product(state.flavor);
  Json version = Json::object();
  if (state.opensearch()) version["distribution"] = "opensearch";
  version["number"] = p.number;
  if (!state.opensearch()) version["build_flavor"] = "default";
  version.update({{"build_type", "tar"},
                  {"build_hash", p.hash},
                  {"build_date", p.date},
                  {"build_snapshot", false},
                  {"lucene_version", p.lucene},
                  {"minimum_wire_compatibility_version", p.wire},
                  {"minimum_index_compatibility_version", p.index}});
  return json_answer({{"name", state.nodes.front().name},
                      {"cluster_name", state.cluster_name},
                      {"cluster_uuid", state.cluster_uuid},
                      {"version", version},
                      {"tagline", state.opensearch() ? "The OpenSearch Project: https://opensearch.org/"
                                                     : "You Know, for Search"}});
}

Answer get_cluster_settings(State& state, const Call& call) {
  Json out = {{"persistent", shown(state.persistent, call)}, {"transient", shown(state.transient, call)}};
  if (call.asked.flag("include_defaults")) {
    const Json defaults = {
        {"action.auto_create_index", "true"},
        {"action.destructive_requires_name", state.flavor == Flavor::elasticsearch_8 ? "true" : "false"},
        {"cluster.name", state.cluster_name}};
    out["defaults"] = shown(defaults, call);
  }
  return json_answer(out);
}

Answer put_cluster_settings(State& state, const Call& call) {
  Json body;
  Answer answer;
  if (!json_body(call, body, answer)) return answer;
  const Json persistent = body.value("persistent", Json::object());
  const Json transient = body.value("transient", Json::object());
  for (const auto& [key, value] : body.items())
    if (key != "persistent" && key != "transient")
      return error_answer(400, "x_content_parse_exception",
                          fmt::format("[1:2] [cluster_update_settings_request] unknown field [{}]", key));
  if (persistent.empty() && transient.empty())
    return error_answer(400, "action_request_validation_exception",
                        "Validation Failed: 1: no settings to update;");
  for (const auto& [kind, changes] :
       {std::pair("persistent", &persistent), std::pair("transient", &transient)}) {
    const Json flat = flat_settings(*changes);
    for (const auto& [name, value] : flat.items())
      if (!known_cluster_setting(name))
        return error_answer(400, "illegal_argument_exception",
                            fmt::format("{} setting [{}], not recognized", kind, name));
  }
  apply(state.persistent, persistent);
  apply(state.transient, transient);
  return json_answer({{"acknowledged", true},
                      {"persistent", shown(flat_settings(persistent), call)},
                      {"transient", shown(flat_settings(transient), call)}});
}

Answer cluster_state(State& state, const Call& call) {
  const std::string metric = call.at("metric").empty() ? "_all" : call.at("metric");
  const auto wants = [&](std::string_view name) {
    return metric == "_all" ||
           fmt::format(",{},", metric).find(fmt::format(",{},", name)) != std::string::npos;
  };
  Json out = {{"cluster_name", state.cluster_name}, {"cluster_uuid", state.cluster_uuid}};
  if (wants("master_node")) out["master_node"] = state.nodes.front().id;
  if (wants("cluster_manager_node") && state.opensearch())
    out["cluster_manager_node"] = state.nodes.front().id;
  if (wants("nodes"))
    for (const NodeCounters& node : state.nodes)
      out["nodes"][node.id] = {{"name", node.name}, {"transport_address", "127.0.0.1:9300"}};
  if (wants("metadata")) {
    Json indices = Json::object();
    for (const std::string& name : resolve(state, call.at("index")).names) {
      const Index& index = state.indices.at(name);
      const Json settings = {{"index", nested_settings(index.settings)}};
      indices[name] = {{"state", index.closed ? "close" : "open"},
                       {"settings", settings},
                       {"mappings", {{"_doc", index.mappings}}}};
    }
    out["metadata"] = {{"cluster_uuid", state.cluster_uuid}, {"indices", indices}};
  }
  return json_answer(out);
}

Answer cluster_stats(State& state, const Call& call) {
  std::uint64_t docs = 0, bytes = 0, shards = 0;
  std::string_view status = "green";
  for (const auto& [name, index] : state.indices) {
    docs += index.docs();
    if (index_health(state, index) != "green") status = "yellow";
    const std::uint64_t copies = 1 + state.assigned_replicas(index);
    shards += index.shards.size() * copies;
    for (const Shard& shard : index.shards) bytes += shard.store_bytes() * copies;
  }
  return json_answer({{"_nodes", shards_header(state.nodes.size(), state.nodes.size())},
                      {"cluster_name", state.cluster_name},
                      {"cluster_uuid", state.cluster_uuid},
                      {"timestamp", state.now_ms(call.now)},
                      {"status", status},
                      {"indices",
                       {{"count", state.indices.size()},
                        {"shards", {{"total", shards}}},
                        {"docs", {{"count", docs}}},
                        {"store", {{"size_in_bytes", bytes}}}}},
                      {"nodes",
                       {{"count", {{"total", state.nodes.size()}, {"data", state.nodes.size()}}},
                        {"versions", Json::array({product(state.flavor).number})}}}});
}

}  // namespace pacenote::sandbox
