#include <fmt/format.h>

#include "core/sandbox/handlers.hpp"
#include "core/sandbox/shard_stats.hpp"

namespace pacenote::sandbox {
namespace {

struct Sums {
  Json primaries = Json::object(), total = Json::object();
};

Json shard_entry(const State& state, const Index& index, std::size_t number, std::size_t copy,
                 const Json& stats) {
  const Shard& shard = index.shards[number];
  const Json routing = {{"state", "STARTED"},
                        {"primary", copy == 0},
                        {"node", state.nodes[state.node_of(index, number, copy)].id},
                        {"relocating_node", nullptr}};
  Json out = {{"routing", routing}};
  out.update(stats);
  const std::int64_t last = static_cast<std::int64_t>(shard.operations) - 1;
  out["seq_no"] = {{"max_seq_no", last}, {"local_checkpoint", last}, {"global_checkpoint", last}};
  return out;
}

/// One index's part of the answer, its shards added to `all` as well. False: an unknown metric.
bool describe(const State& state, const Index& index, const Call& call, Sums& all, Json& out,
              std::string& unknown) {
  Sums own;
  Json shards = Json::object();
  for (std::size_t number = 0; number < index.shards.size(); ++number) {
    Json stats = shard_stats(state, index.shards[number], call.now);
    if (!choose_sections(stats, call.at("metric"), unknown)) return false;
    add_stats(own.primaries, stats);
    for (std::size_t copy = 0; copy <= state.assigned_replicas(index); ++copy) {
      add_stats(own.total, stats);
      shards[std::to_string(number)].push_back(shard_entry(state, index, number, copy, stats));
    }
  }
  add_stats(all.primaries, own.primaries);
  add_stats(all.total, own.total);
  out = {{"uuid", index.uuid}, {"primaries", own.primaries}, {"total", own.total}};
  if (call.asked.param("level", "indices") == "shards") out["shards"] = shards;
  return true;
}

}  // namespace

Answer index_stats(State& state, const Call& call) {
  std::vector<std::string> names;
  Answer answer;
  if (!resolve(state, call, names, answer)) return answer;
  const std::string level = call.asked.param("level", "indices");
  if (level != "indices" && level != "shards" && level != "cluster")
    return error_answer(
        400, "illegal_argument_exception",
        fmt::format("level parameter must be one of [cluster] or [indices] or [shards] but was [{}]", level));
  Sums all;
  Json indices = Json::object(), nothing = Json::object();
  std::string unknown;
  bool known = choose_sections(nothing, call.at("metric"), unknown);
  std::uint64_t total = 0, successful = 0;
  for (const std::string& name : names) {
    const Index& index = state.indices.at(name);
    if (index.closed) continue;
    known = known && describe(state, index, call, all, indices[name], unknown);
    total += index.shards.size() * (1 + index.replicas);
    successful += index.shards.size() * (1 + state.assigned_replicas(index));
  }
  if (!known)
    return error_answer(
        400, "illegal_argument_exception",
        fmt::format("request [{}] contains unrecognized metric: [{}]", call.asked.path, unknown));
  Json out = {{"_shards", shards_header(total, successful)}};
  out["_all"] = {{"primaries", all.primaries}, {"total", all.total}};
  if (level != "cluster") out["indices"] = indices;
  return json_answer(out);
}

Answer recovery(State& state, const Call& call) {
  std::vector<std::string> names;
  Answer answer;
  if (!resolve(state, call, names, answer)) return answer;
  Json out = Json::object();
  if (call.asked.flag("active_only")) return json_answer(out);
  for (const std::string& name : names) {
    const Index& index = state.indices.at(name);
    for (std::size_t number = 0; number < index.shards.size(); ++number)
      out[name]["shards"].push_back(
          {{"id", number},
           {"type", "EMPTY_STORE"},
           {"stage", "DONE"},
           {"primary", true},
           {"start_time_in_millis", index.created_ms},
           {"stop_time_in_millis", index.created_ms + 10},
           {"total_time_in_millis", 10},
           {"index", {{"size", {{"total_in_bytes", 0}, {"recovered_in_bytes", 0}}}}}});
  }
  return json_answer(out);
}

}  // namespace pacenote::sandbox
