// Cluster health, and waiting for it.
#include <fmt/format.h>

#include <charconv>

#include "core/sandbox/handlers.hpp"

namespace pacenote::sandbox {
namespace {

struct Health {
  int level = 2;  ///< 0 red, 1 yellow, 2 green
  std::uint64_t primaries = 0, active = 0, unassigned = 0;
  void add(const Health& other) {
    level = std::min(level, other.level);
    primaries += other.primaries;
    active += other.active;
    unassigned += other.unassigned;
  }
};

std::string_view name_of(int level) { return level == 2 ? "green" : level == 1 ? "yellow" : "red"; }

Health health_of(const State& state, const Index& index) {
  Health out;
  out.primaries = index.shards.size();
  out.active = out.primaries * (1 + state.assigned_replicas(index));
  out.unassigned = out.primaries * (index.replicas - state.assigned_replicas(index));
  out.level = out.unassigned > 0 ? 1 : 2;
  return out;
}

Json figures(const Health& health) {
  return {{"active_primary_shards", health.primaries},
          {"active_shards", health.active},
          {"relocating_shards", 0},
          {"initializing_shards", 0},
          {"unassigned_shards", health.unassigned}};
}

Json describe(const State& state, const Health& health, bool timed_out) {
  Json out = {{"cluster_name", state.cluster_name},
              {"status", name_of(health.level)},
              {"timed_out", timed_out},
              {"number_of_nodes", state.nodes.size()},
              {"number_of_data_nodes", state.nodes.size()}};
  if (state.opensearch()) out.update({{"discovered_master", true}, {"discovered_cluster_manager", true}});
  out.update(figures(health));
  const double all = static_cast<double>(health.active + health.unassigned);
  out.update({{"delayed_unassigned_shards", 0},
              {"number_of_pending_tasks", 0},
              {"number_of_in_flight_fetch", 0},
              {"task_max_waiting_in_queue_millis", 0},
              {"active_shards_percent_as_number",
               all == 0 ? 100.0 : 100.0 * static_cast<double>(health.active) / all}});
  return out;
}

/// ">=2", "ge(2)", "2", "<5" … None: cannot be read.
std::optional<bool> nodes_as_wanted(std::string_view wanted, std::uint64_t nodes) {
  const std::size_t digit = wanted.find_first_of("0123456789");
  if (digit == std::string_view::npos) return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(wanted.data() + digit, wanted.data() + wanted.size(), number);
  const std::string_view sign = wanted.substr(0, digit);
  if (sign == ">=" || sign == "ge(") return nodes >= number;
  if (sign == "<=" || sign == "le(") return nodes <= number;
  if (sign == ">" || sign == "gt(") return nodes > number;
  if (sign == "<" || sign == "lt(") return nodes < number;
  if (sign.empty()) return nodes == number;
  return std::nullopt;
}

/// What the request waits for. The sandbox neither relocates nor initializes shards, so those waits end at
/// once.
struct Wanted {
  int level = 0;
  bool nodes = true, shards = true;
};

std::optional<Answer> read_wanted(const State& state, const Call& call, const Health& health,
                                  Wanted& wanted) {
  const std::string status = call.asked.param("wait_for_status", "red");
  for (int level = 0; level <= 3; ++level) {
    if (level == 3)
      return error_answer(400, "illegal_argument_exception",
                          fmt::format("unknown cluster health status [{}]", status));
    if (status != name_of(level)) continue;
    wanted.level = level;
    break;
  }
  if (const std::string* nodes = call.asked.param("wait_for_nodes")) {
    const std::optional<bool> enough = nodes_as_wanted(*nodes, state.nodes.size());
    if (!enough)
      return error_answer(400, "number_format_exception", fmt::format("For input string: \"{}\"", *nodes));
    wanted.nodes = *enough;
  }
  const std::string shards = call.asked.param("wait_for_active_shards", "0");
  wanted.shards = shards == "all" ? health.unassigned == 0 : health.active >= parse_bytes(shards).value_or(0);
  return std::nullopt;
}

}  // namespace

Answer cluster_health(State& state, const Call& call) {
  const Resolved found = resolve(state, call.at("index"));
  Health health;
  Json indices = Json::object();
  for (const std::string& name : found.names) {
    const Index& index = state.indices.at(name);
    const Health own = health_of(state, index);
    health.add(own);
    Json line = {{"status", name_of(own.level)},
                 {"number_of_shards", index.shards.size()},
                 {"number_of_replicas", index.replicas}};
    line.update(figures(own));
    indices[name] = line;
  }
  if (!found.missing.empty()) health.level = 0;
  Wanted wanted;
  if (auto refusal = read_wanted(state, call, health, wanted)) return *refusal;
  const auto timeout = parse_time(call.asked.param("timeout", "30s"));
  if (!timeout)
    return error_answer(
        400, "illegal_argument_exception",
        fmt::format("failed to parse setting [timeout] with value [{}] as a time value: unit is "
                    "missing or unrecognized",
                    call.asked.param("timeout", "")));
  const bool ready = health.level >= wanted.level && wanted.nodes && wanted.shards && found.missing.empty();
  Json out = describe(state, health, !ready);
  if (call.asked.param("level", "cluster") != "cluster") out["indices"] = indices;
  Answer answer = json_answer(out, ready ? 200 : 408);
  if (!ready && call.waited.time < *timeout) answer.again = std::min(kAskAgain, *timeout - call.waited.time);
  return answer;
}

Answer cat_health(State& state, const Call& call) {
  Health health;
  for (const auto& [name, index] : state.indices) health.add(health_of(state, index));
  const Json line = {{"epoch", std::to_string(state.now_ms(call.now) / 1000)},
                     {"cluster", state.cluster_name},
                     {"status", name_of(health.level)},
                     {"node.total", std::to_string(state.nodes.size())},
                     {"node.data", std::to_string(state.nodes.size())},
                     {"shards", std::to_string(health.active)},
                     {"pri", std::to_string(health.primaries)},
                     {"relo", "0"},
                     {"init", "0"},
                     {"unassign", std::to_string(health.unassigned)}};
  return cat_answer(call, Json::array({line}));
}

std::string_view index_health(const State& state, const Index& index) {
  return name_of(health_of(state, index).level);
}

}  // namespace pacenote::sandbox
