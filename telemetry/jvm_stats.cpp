// Rally's JvmStatsSummary (rally telemetry.py): garbage collection during the race, peaks of the memory
// pools.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "telemetry/ask.hpp"

namespace pacenote::telemetry {
namespace {

struct Collections {
  double time_ms = 0, count = 0;
};
using Collectors = std::map<std::string, Collections>;

/// "young_gen", "old_gen", "zgc_cycles", "g1_concurrent_gc", …
std::string collector_name(const std::string& name) {
  if (name == "young" || name == "old") return name + "_gen";
  std::string out;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    out += std::isalnum(u) != 0 ? static_cast<char>(std::tolower(u)) : '_';
  }
  return out;
}

Collectors collectors_of(const Json& node) {
  Collectors out;
  for (const auto& [name, stats] : object(node, {"jvm", "gc", "collectors"}).items()) {
    const auto time = number(stats, {"collection_time_in_millis"});
    const auto count = number(stats, {"collection_count"});
    if (time && count) out[collector_name(name)] = Collections{*time, *count};
  }
  return out;
}

class JvmStats final : public TelemetryDevice {
 public:
  Async<void> poll(Probe& probe, When when) override {
    const std::optional<Json> answer = co_await ask(probe, "/_nodes/stats/jvm");
    if (!answer) co_return;
    const Json& nodes = object(*answer, {"nodes"});
    if (when == When::start)
      for (const auto& [id, node] : nodes.items()) start_[id] = collectors_of(node);
    else
      finish(probe, nodes);
  }

 private:
  void finish(Probe& probe, const Json& nodes) {
    Collectors total;
    for (const auto& [id, node] : nodes.items()) {
      const auto before = start_.find(id);
      if (before == start_.end()) continue;  // came later: its figures are not those of the race
      const std::string name = text(node, {"name"});
      for (const auto& [collector, after] : collectors_of(node)) {
        const Collections& was = before->second[collector];
        const Collections spent{std::max(after.time_ms - was.time_ms, 0.0),
                                std::max(after.count - was.count, 0.0)};
        total[collector].time_ms += spent.time_ms;
        total[collector].count += spent.count;
        add(probe, "node", collector, spent, name);
      }
      add_pools(probe, node, name);
    }
    for (const auto& [collector, spent] : total) add(probe, "node_total", collector, spent, {});
  }

  static void add(Probe& probe, const char* level, const std::string& collector, const Collections& spent,
                  const std::string& node) {
    put(probe, fmt::format("{}_{}_gc_time", level, collector), spent.time_ms, "ms", node);
    put(probe, fmt::format("{}_{}_gc_count", level, collector), spent.count, "", node);
  }

  static void add_pools(Probe& probe, const Json& node, const std::string& name) {
    Json pools = Json::object();
    for (const auto& [pool, stats] : object(node, {"jvm", "mem", "pools"}).items()) {
      const Json* peak = find(stats, {"peak_used_in_bytes"});
      if (peak == nullptr || !peak->is_number()) continue;
      pools[pool]["peak_usage"] = *peak;
      pools[pool]["unit"] = "byte";
    }
    if (!pools.empty()) put_document(probe, "jvm_memory_pool_stats", name, std::move(pools));
  }

  std::map<std::string, Collectors> start_;  // by node id
};

std::unique_ptr<TelemetryDevice> make_jvm_stats(const Json&, const Track&) {
  return std::make_unique<JvmStats>();
}

const Registered<DeviceType> jvm_stats_device{
    "jvm-stats-summary",
    {"Garbage collection during the race, peaks of the memory pools", true, make_jvm_stats}};

}  // namespace
}  // namespace pacenote::telemetry
