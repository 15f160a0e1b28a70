// GET /_nodes/stats: shards by the node that holds them, and a virtual machine that fills with what is
// written.
#include <fmt/format.h>

#include <set>

#include "core/sandbox/handlers.hpp"
#include "core/sandbox/shard_stats.hpp"

namespace pacenote::sandbox {
namespace {

constexpr std::uint64_t kHeap = 1U << 30U;
constexpr std::uint64_t kYoung = 256U << 20U;
constexpr std::uint64_t kAllocatedPerByte = 8;  // of document: parsing, analysis, buffers
constexpr std::uint64_t kYoungPerOld = 400;

struct Garbage {
  std::uint64_t young = 0, old = 0, in_young = 0;
};

Garbage garbage(const NodeCounters& node) {
  const std::uint64_t allocated = node.bytes_in * kAllocatedPerByte + (node.bulks + node.searches) * 4096;
  return {allocated / kYoung, allocated / kYoung / kYoungPerOld, allocated % kYoung};
}

Json pool(std::uint64_t used, std::uint64_t most) {
  return {{"used_in_bytes", used},
          {"max_in_bytes", most},
          {"peak_used_in_bytes", used},
          {"peak_max_in_bytes", most}};
}

Json jvm(const State& state, const NodeCounters& node, Instant now) {
  const Garbage g = garbage(node);
  const std::uint64_t old_used = (96U << 20U) + std::min<std::uint64_t>(g.young, 200) * (1U << 20U);
  const std::uint64_t used = old_used + g.in_young;
  Json pools = Json::object();
  pools["young"] = pool(g.in_young, 0);
  pools["old"] = pool(old_used, kHeap);
  pools["survivor"] = pool(std::min<std::uint64_t>(g.young, 1) * (8U << 20U), 0);
  const auto buffers = [](std::uint64_t count, std::uint64_t bytes) {
    return Json{{"count", count}, {"used_in_bytes", bytes}, {"total_capacity_in_bytes", bytes}};
  };
  Json out = {{"timestamp", state.now_ms(now)}, {"uptime_in_millis", state.now_ms(now) - state.started_ms}};
  out["mem"] = {{"heap_used_in_bytes", used},
                {"heap_used_percent", used * 100 / kHeap},
                {"heap_committed_in_bytes", kHeap},
                {"heap_max_in_bytes", kHeap},
                {"non_heap_used_in_bytes", 96U << 20U},
                {"non_heap_committed_in_bytes", 100U << 20U},
                {"pools", pools}};
  out["threads"] = {{"count", 40}, {"peak_count", 44}};
  out["gc"]["collectors"] = {
      {"young", {{"collection_count", g.young}, {"collection_time_in_millis", g.young * 11}}},
      {"old", {{"collection_count", g.old}, {"collection_time_in_millis", g.old * 90}}}};
  out["buffer_pools"]["mapped"] = buffers(state.indices.size() * 4, state.indices.size() * 65536);
  out["buffer_pools"]["direct"] = buffers(24, 8U << 20U);
  out["classes"] = {
      {"current_loaded_count", 17000}, {"total_loaded_count", 17000}, {"total_unloaded_count", 0}};
  return out;
}

Json machine(const State& state, Instant now) {
  constexpr std::uint64_t kMemory = 8ULL << 30U;
  Json out = {{"timestamp", state.now_ms(now)}};
  out["cpu"] = {{"percent", 10}, {"load_average", {{"1m", 0.5}, {"5m", 0.5}, {"15m", 0.5}}}};
  out["mem"] = {{"total_in_bytes", kMemory},
                {"free_in_bytes", kMemory / 2},
                {"used_in_bytes", kMemory / 2},
                {"free_percent", 50},
                {"used_percent", 50}};
  out["swap"] = {{"total_in_bytes", 0}, {"free_in_bytes", 0}, {"used_in_bytes", 0}};
  const Json usage = {{"control_group", "/"}, {"usage_nanos", (now - state.started).count()}};
  out["cgroup"]["cpuacct"] = usage;
  out["cgroup"]["cpu"] = {
      {"control_group", "/"},
      {"cfs_period_micros", 100000},
      {"cfs_quota_micros", -1},
      {"stat",
       {{"number_of_elapsed_periods", 0}, {"number_of_times_throttled", 0}, {"time_throttled_nanos", 0}}}};
  out["cgroup"]["memory"] = {
      {"control_group", "/"}, {"limit_in_bytes", "9223372036854771712"}, {"usage_in_bytes", "1073741824"}};
  return out;
}

Json process(const State& state, const NodeCounters& node, Instant now) {
  const std::uint64_t cpu_ms = 5000 + node.bytes_in / 30'000 + node.searches / 2;
  Json out = {{"timestamp", state.now_ms(now)},
              {"open_file_descriptors", 300 + state.indices.size() * 10},
              {"max_file_descriptors", 65535}};
  out["cpu"] = {{"percent", 5}, {"total_in_millis", cpu_ms}};
  out["mem"]["total_virtual_in_bytes"] = 4ULL << 30U;
  return out;
}

Json thread_pools(const NodeCounters& node) {
  const auto one = [](std::uint64_t threads, std::uint64_t completed) {
    return Json{{"threads", threads}, {"queue", 0},         {"active", 0},
                {"rejected", 0},      {"largest", threads}, {"completed", completed}};
  };
  Json out = Json::object();
  for (const char* name : {"analyze", "fetch_shard_started", "flush", "force_merge", "get", "management",
                           "refresh", "snapshot", "warmer"})
    out[name] = one(1, 0);
  out["generic"] = one(4, 100);
  out["search"] = one(4, node.searches);
  out["write"] = one(2, node.bulks);
  return out;
}

Json file_system(const State& state, std::uint64_t stored, std::uint64_t written, Instant now) {
  constexpr std::uint64_t kDisk = 100ULL << 30U;
  const std::uint64_t left = kDisk - std::min(stored, kDisk);
  const Json space = {{"total_in_bytes", kDisk}, {"free_in_bytes", left}, {"available_in_bytes", left}};
  Json disk = {{"path", "/var/lib/sandbox"}, {"mount", "/"}, {"type", "ext4"}};
  disk.update(space);
  const std::uint64_t kilobytes = written / 1024, operations = kilobytes / 64;
  const Json io = {{"operations", operations},       {"read_operations", 0},
                   {"write_operations", operations}, {"read_kilobytes", 0},
                   {"write_kilobytes", kilobytes},   {"io_time_in_millis", operations / 4}};
  Json device = {{"device_name", "sandbox"}};
  device.update(io);
  Json out = {{"timestamp", state.now_ms(now)}, {"total", space}, {"data", Json::array({disk})}};
  out["io_stats"] = {{"devices", Json::array({device})}, {"total", io}};
  return out;
}

Json breakers(std::uint64_t used) {
  const auto one = [](double share, std::uint64_t estimated, double overhead) {
    const auto limit = static_cast<std::uint64_t>(share * static_cast<double>(kHeap));
    return Json{{"limit_size_in_bytes", limit},
                {"limit_size", fmt::format("{}mb", limit >> 20U)},
                {"estimated_size_in_bytes", estimated},
                {"estimated_size", fmt::format("{}mb", estimated >> 20U)},
                {"overhead", overhead},
                {"tripped", 0}};
  };
  return {{"request", one(0.6, 0, 1.0)},
          {"fielddata", one(0.4, 0, 1.03)},
          {"in_flight_requests", one(1.0, 0, 2.0)},
          {"parent", one(0.95, used, 1.0)}};
}

Json indexing_pressure(const NodeCounters& node) {
  Json memory = Json::object();
  memory["current"] = {{"combined_coordinating_and_primary_in_bytes", 0},
                       {"coordinating_in_bytes", 0},
                       {"primary_in_bytes", 0},
                       {"replica_in_bytes", 0},
                       {"all_in_bytes", 0}};
  memory["total"] = {{"combined_coordinating_and_primary_in_bytes", node.bytes_in},
                     {"coordinating_in_bytes", node.bytes_in},
                     {"primary_in_bytes", node.bytes_in},
                     {"replica_in_bytes", 0},
                     {"all_in_bytes", node.bytes_in},
                     {"coordinating_rejections", 0},
                     {"primary_rejections", 0},
                     {"replica_rejections", 0}};
  memory["limit_in_bytes"] = kHeap / 10;
  return {{"memory", memory}};
}

/// Documents through pipelines; the first node coordinates them all.
Json ingest(const State& state, bool first) {
  const auto one = [](const IngestCounters& c) {
    return Json{{"count", c.count},
                {"time_in_millis", std::chrono::duration_cast<std::chrono::milliseconds>(c.time).count()},
                {"current", 0},
                {"failed", c.failed}};
  };
  IngestCounters sum;
  Json pipelines = Json::object();
  for (const auto& [name, body] : state.pipelines) {
    const auto it = state.ingest.find(name);
    const IngestCounters own = first && it != state.ingest.end() ? it->second : IngestCounters();
    sum.count += own.count;
    sum.failed += own.failed;
    sum.time += own.time;
    pipelines[name] = one(own);
    pipelines[name]["processors"] = Json::array();
    for (const Json& processor : body.value("processors", Json::array()))
      for (const auto& [type, ignored] : processor.items()) {
        const Json counted = {{"type", type}, {"stats", one(own)}};
        pipelines[name]["processors"].push_back({{type, counted}});
      }
  }
  return {{"total", one(sum)}, {"pipelines", pipelines}};
}

}  // namespace

Json node_section(const State& state, std::size_t number, const std::string& section, const Json& indices,
                  Instant now) {
  const NodeCounters& node = state.nodes[number];
  if (section == "indices") return indices;
  if (section == "os") return machine(state, now);
  if (section == "process") return process(state, node, now);
  if (section == "jvm") return jvm(state, node, now);
  if (section == "thread_pool") return thread_pools(node);
  if (section == "fs")
    return file_system(state, indices["store"].value("size_in_bytes", std::uint64_t{0}), node.bytes_in * 2,
                       now);
  if (section == "transport")
    return {{"server_open", 13},      {"total_outbound_connections", 13},
            {"rx_count", node.bulks}, {"rx_size_in_bytes", node.bytes_in},
            {"tx_count", node.bulks}, {"tx_size_in_bytes", node.bulks * 200}};
  if (section == "http") return {{"current_open", 1}, {"total_opened", 1}};
  if (section == "breakers") return breakers((96U << 20U) + garbage(node).in_young);
  if (section == "script")
    return {{"compilations", 0}, {"cache_evictions", 0}, {"compilation_limit_triggered", 0}};
  if (section == "ingest") return ingest(state, number == 0);
  if (section == "indexing_pressure") return indexing_pressure(node);
  return Json::object();  // discovery, adaptive_selection: known, and nothing to tell
}

}  // namespace pacenote::sandbox
