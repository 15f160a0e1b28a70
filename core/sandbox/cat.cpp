// The small tables for people, or for programs with format=json.
#include <fmt/format.h>

#include "core/sandbox/handlers.hpp"

namespace pacenote::sandbox {
namespace {

std::string human_bytes(std::uint64_t bytes) {
  constexpr std::string_view kUnits = "kmgt";
  if (bytes < 1024) return fmt::format("{}b", bytes);
  double amount = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < kUnits.size(); ++unit) amount /= 1024;
  return fmt::format("{:.1f}{}b", amount, kUnits[unit]);
}

std::string size_text(const Call& call, std::uint64_t bytes) {
  return call.asked.param("bytes", "") == "b" ? std::to_string(bytes) : human_bytes(bytes);
}

Json chosen_columns(const Json& rows, const std::string& list) {
  if (list.empty() || list == "*") return rows;
  Json out = Json::array();
  for (const Json& row : rows) {
    Json line = Json::object();
    for (const std::string& name : split(list))
      if (row.contains(name)) line[name] = row[name];
    out.push_back(line);
  }
  return out;
}

}  // namespace

Answer cat_answer(const Call& call, const Json& all) {
  const Json rows = chosen_columns(all, call.asked.param("h", ""));
  if (call.asked.param("format", "text") == "json") return json_answer(rows);
  Answer answer;
  answer.content_type = "text/plain; charset=UTF-8";
  const auto add_line = [&](const Json& row, bool names) {
    std::string line;
    for (const auto& [key, value] : row.items()) {
      const std::string cell =
          names || !value.is_string() ? std::string(names ? key : "") : value.get<std::string>();
      std::size_t width = key.size() * (call.asked.flag("v") ? 1 : 0);
      for (const Json& other : rows)
        if (other[key].is_string()) width = std::max(width, other[key].get_ref<const std::string&>().size());
      line += fmt::format("{}{:<{}}", line.empty() ? "" : " ", cell, width);
    }
    answer.body += fmt::format("{}\n", line);
  };
  if (call.asked.flag("v") && !rows.empty()) add_line(rows.front(), true);
  for (const Json& row : rows) add_line(row, false);
  return answer;
}

/// The rows that `add` makes of each index that is asked for.
template <class Add>
Answer cat_each_index(State& state, const Call& call, const Add& add) {
  std::vector<std::string> names;
  Answer answer;
  if (!resolve(state, call, names, answer)) return answer;
  Json rows = Json::array();
  for (const std::string& name : names) add(rows, name, state.indices.at(name));
  return cat_answer(call, rows);
}

Answer cat_indices(State& state, const Call& call) {
  return cat_each_index(state, call, [&](Json& rows, const std::string& name, const Index& index) {
    std::uint64_t bytes = 0, deleted = 0;
    for (const Shard& shard : index.shards) {
      bytes += shard.store_bytes();
      deleted += shard.deleted();
    }
    rows.push_back({{"health", index_health(state, index)},
                    {"status", index.closed ? "close" : "open"},
                    {"index", name},
                    {"uuid", index.uuid},
                    {"pri", std::to_string(index.shards.size())},
                    {"rep", std::to_string(index.replicas)},
                    {"docs.count", std::to_string(index.docs())},
                    {"docs.deleted", std::to_string(deleted)},
                    {"store.size", size_text(call, bytes * (1 + state.assigned_replicas(index)))},
                    {"pri.store.size", size_text(call, bytes)}});
  });
}

Answer cat_nodes(State& state, const Call& call) {
  Json rows = Json::array();
  for (const NodeCounters& node : state.nodes)
    rows.push_back({{"id", node.id.substr(0, 4)},
                    {"ip", "127.0.0.1"},
                    {"http_address", fmt::format("127.0.0.1:{}", state.port)},
                    {"version", version_number(state.flavor)},
                    {"heap.percent", "20"},
                    {"ram.percent", "50"},
                    {"cpu", "10"},
                    {"load_1m", "0.50"},
                    {"load_5m", "0.50"},
                    {"load_15m", "0.50"},
                    {"node.role", "dimr"},
                    {"master", &node == &state.nodes.front() ? "*" : "-"},
                    {"name", node.name}});
  return cat_answer(call, rows);
}

Answer cat_shards(State& state, const Call& call) {
  return cat_each_index(state, call, [&](Json& rows, const std::string& name, const Index& index) {
    for (std::size_t shard = 0; shard < index.shards.size(); ++shard)
      for (std::size_t copy = 0; copy <= index.replicas; ++copy) {
        const bool assigned = copy <= state.assigned_replicas(index);
        Json row = {{"index", name},
                    {"shard", std::to_string(shard)},
                    {"prirep", copy == 0 ? "p" : "r"},
                    {"state", assigned ? "STARTED" : "UNASSIGNED"}};
        row["docs"] = assigned ? Json(std::to_string(index.shards[shard].docs())) : Json();
        row["store"] = assigned ? Json(size_text(call, index.shards[shard].store_bytes())) : Json();
        row["ip"] = assigned ? Json("127.0.0.1") : Json();
        row["node"] = assigned ? Json(state.nodes[state.node_of(index, shard, copy)].name) : Json();
        rows.push_back(row);
      }
  });
}

}  // namespace pacenote::sandbox
