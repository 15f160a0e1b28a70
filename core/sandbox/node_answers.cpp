// GET /_nodes…: which nodes, which sections.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/sandbox/handlers.hpp"
#include "core/sandbox/shard_stats.hpp"

namespace pacenote::sandbox {
namespace {

constexpr std::array<std::string_view, 14> kStatsSections{"indices",
                                                          "os",
                                                          "process",
                                                          "jvm",
                                                          "thread_pool",
                                                          "fs",
                                                          "transport",
                                                          "http",
                                                          "breakers",
                                                          "script",
                                                          "discovery",
                                                          "ingest",
                                                          "adaptive_selection",
                                                          "indexing_pressure"};
constexpr std::array<std::string_view, 9> kInfoSections{
    "settings", "os", "process", "jvm", "thread_pool", "transport", "http", "plugins", "ingest"};

/// False: `unknown` is no section.
template <class Sections>
bool read_sections(const std::string& list, const Sections& known, std::vector<std::string>& out,
                   std::string& unknown) {
  for (std::string name : split(list.empty() ? "_all" : list)) {
    if (name == "breaker") name = "breakers";
    if (name == "_all") {
      out.assign(known.begin(), known.end());
      return true;
    }
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      unknown = name;
      return false;
    }
    out.push_back(name);
  }
  return true;
}

Answer unknown_metric(const Call& call, const std::string& name) {
  return error_answer(400, "illegal_argument_exception",
                      fmt::format("request [{}] contains unrecognized metric: [{}]", call.asked.path, name));
}

std::vector<std::size_t> chosen_nodes(const State& state, const std::string& list) {
  std::vector<std::size_t> out;
  const std::vector<std::string> wanted = split(list.empty() ? "_all" : list);
  for (std::size_t i = 0; i < state.nodes.size(); ++i) {
    const NodeCounters& node = state.nodes[i];
    const bool first = i == 0;
    if (std::any_of(wanted.begin(), wanted.end(), [&](const std::string& name) {
          return name == "_all" || name == "data:true" || name == node.id ||
                 wildcard_match(name, node.name) ||
                 (first && (name == "_local" || name == "_master" || name == "_cluster_manager"));
        }))
      out.push_back(i);
  }
  return out;
}

Json indices_on(const State& state, std::size_t number, Instant now) {
  Json sum = shard_stats(state, Shard(), now);
  for (Json* zeroed :
       {&sum["store"]["size_in_bytes"], &sum["translog"]["size_in_bytes"],
        &sum["translog"]["uncommitted_size_in_bytes"], &sum["merges"]["total_auto_throttle_in_bytes"]})
    *zeroed = 0;
  for (const auto& [name, index] : state.indices)
    for (std::size_t shard = 0; shard < index.shards.size(); ++shard)
      for (std::size_t copy = 0; copy <= state.assigned_replicas(index); ++copy)
        if (state.node_of(index, shard, copy) == number)
          add_stats(sum, shard_stats(state, index.shards[shard], now));
  return sum;
}

Json shards_on(const State& state, std::size_t number, Instant now) {
  Json out = Json::object();
  for (const auto& [name, index] : state.indices)
    for (std::size_t shard = 0; shard < index.shards.size(); ++shard)
      for (std::size_t copy = 0; copy <= state.assigned_replicas(index); ++copy)
        if (state.node_of(index, shard, copy) == number) {
          Json entry = {
              {"routing", {{"state", "STARTED"}, {"primary", copy == 0}, {"node", state.nodes[number].id}}}};
          entry.update(shard_stats(state, index.shards[shard], now));
          const Json keyed = {{std::to_string(shard), entry}};
          out[name].push_back(keyed);
        }
  return out;
}

Json roles(const State& state) {
  if (state.opensearch()) return Json::array({"cluster_manager", "data", "ingest", "remote_cluster_client"});
  return Json::array({"data", "ingest", "master", "remote_cluster_client"});
}

Json info_section(const State& state, const std::string& section) {
  if (section == "os")
    return {{"refresh_interval_in_millis", 1000},
            {"name", "Linux"},
            {"pretty_name", "pacenote sandbox"},
            {"arch", "amd64"},
            {"version", "0"},
            {"available_processors", 2},
            {"allocated_processors", 2}};
  if (section == "process") return {{"refresh_interval_in_millis", 1000}, {"id", 1}, {"mlockall", false}};
  if (section == "jvm")
    return {{"pid", 1},
            {"version", "17.0.13"},
            {"vm_name", "pacenote sandbox"},
            {"vm_version", "17.0.13"},
            {"vm_vendor", "pacenote"},
            {"start_time_in_millis", state.started_ms},
            {"mem", {{"heap_init_in_bytes", 1U << 30U}, {"heap_max_in_bytes", 1U << 30U}}},
            {"gc_collectors", Json::array({"G1 Young Generation", "G1 Old Generation"})},
            {"memory_pools", Json::array({"G1 Eden Space", "G1 Old Gen", "G1 Survivor Space"})}};
  const std::string address = fmt::format("127.0.0.1:{}", state.port);
  if (section == "http")
    return {{"bound_address", Json::array({address})},
            {"publish_address", address},
            {"max_content_length_in_bytes", 100U << 20U}};
  if (section == "transport")
    return {{"bound_address", Json::array({"127.0.0.1:9300"})}, {"publish_address", "127.0.0.1:9300"}};
  if (section == "plugins") return Json::array();
  if (section == "settings")
    return {{"cluster", {{"name", state.cluster_name}}}, {"http", {{"port", std::to_string(state.port)}}}};
  if (section == "ingest") return {{"processors", Json::array()}};
  return Json::object();
}

Answer of_nodes(const State& state, const Json& nodes) {
  Json out = {{"_nodes", shards_header(nodes.size(), nodes.size())}, {"cluster_name", state.cluster_name}};
  out["nodes"] = nodes;
  return json_answer(out);
}

}  // namespace

Answer node_stats(State& state, const Call& call) {
  std::vector<std::string> sections;
  std::string unknown;
  if (!read_sections(call.at("metric"), kStatsSections, sections, unknown))
    return unknown_metric(call, unknown);
  Json nodes = Json::object();
  for (const std::size_t number : chosen_nodes(state, call.at("node"))) {
    const NodeCounters& node = state.nodes[number];
    Json indices = indices_on(state, number, call.now);
    if (!choose_sections(indices, call.at("index_metric"), unknown)) return unknown_metric(call, unknown);
    if (call.asked.param("level", "node") == "shards") indices["shards"] = shards_on(state, number, call.now);
    Json out = {{"timestamp", state.now_ms(call.now)},
                {"name", node.name},
                {"transport_address", "127.0.0.1:9300"},
                {"host", "127.0.0.1"},
                {"ip", "127.0.0.1:9300"},
                {"roles", roles(state)},
                {"attributes", Json::object()}};
    for (const std::string& section : sections)
      out[section] = node_section(state, number, section, indices, call.now);
    nodes[node.id] = out;
  }
  return of_nodes(state, nodes);
}

Answer node_info(State& state, const Call& call) {
  std::vector<std::string> sections;
  std::string unknown, node = call.at("node"), metric = call.at("metric");
  // GET /_nodes/http: one name alone is a section if it can be one (RestNodesInfoAction)
  if (metric.empty() && !node.empty() && read_sections(node, kInfoSections, sections, unknown))
    std::swap(node, metric);
  sections.clear();
  if (!read_sections(metric, kInfoSections, sections, unknown)) return unknown_metric(call, unknown);
  Json nodes = Json::object();
  for (const std::size_t number : chosen_nodes(state, node)) {
    Json out = {{"name", state.nodes[number].name},
                {"transport_address", "127.0.0.1:9300"},
                {"host", "127.0.0.1"},
                {"ip", "127.0.0.1"},
                {"version", version_number(state.flavor)}};
    if (!state.opensearch()) out["build_flavor"] = "default";
    out["build_type"] = "tar";
    out["build_hash"] = build_hash(state.flavor);
    out["roles"] = roles(state);
    out["attributes"] = Json::object();
    for (const std::string& section : sections) out[section] = info_section(state, section);
    nodes[state.nodes[number].id] = out;
  }
  return of_nodes(state, nodes);
}

}  // namespace pacenote::sandbox
