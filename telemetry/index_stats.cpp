// Rally's IndexStats (rally telemetry.py): what indexing, merging, refreshing and flushing have cost, and
// what lies on disk. Figures of primaries over all indices, absolute at the end; sizes with replicas.
#include <fmt/format.h>

#include <array>
#include <optional>

#include "telemetry/ask.hpp"

namespace pacenote::telemetry {
namespace {

struct Total {
  const char *name, *section, *key;
};
constexpr std::array<Total, 6> kTimes{{
    {"merges_total_time", "merges", "total_time_in_millis"},
    {"merges_total_throttled_time", "merges", "total_throttled_time_in_millis"},
    {"indexing_total_time", "indexing", "index_time_in_millis"},
    {"indexing_throttle_time", "indexing", "throttle_time_in_millis"},
    {"refresh_total_time", "refresh", "total_time_in_millis"},
    {"flush_total_time", "flush", "total_time_in_millis"},
}};
constexpr std::array<Total, 4> kCounts{{
    {"merges_total_count", "merges", "total"},
    {"refresh_total_count", "refresh", "total"},
    {"flush_total_count", "flush", "total"},
    {"segments_count", "segments", "count"},
}};
constexpr std::array<Total, 6> kMemory{{
    {"segments_memory_in_bytes", "segments", "memory_in_bytes"},
    {"segments_doc_values_memory_in_bytes", "segments", "doc_values_memory_in_bytes"},
    {"segments_stored_fields_memory_in_bytes", "segments", "stored_fields_memory_in_bytes"},
    {"segments_terms_memory_in_bytes", "segments", "terms_memory_in_bytes"},
    {"segments_norms_memory_in_bytes", "segments", "norms_memory_in_bytes"},
    {"segments_points_memory_in_bytes", "segments", "points_memory_in_bytes"},
}};
constexpr std::array<Total, 3> kSizes{{
    {"dataset_size_in_bytes", "store", "total_data_set_size_in_bytes"},
    {"store_size_in_bytes", "store", "size_in_bytes"},
    {"translog_size_in_bytes", "translog", "size_in_bytes"},
}};
constexpr double kCleanLimitMs = 2000;  // behaviour F.8

/// One value of every primary shard of every index.
Json per_shard(const Json& stats, const Total& total) {
  Json values = Json::array();
  for (const auto& [index, figures] : object(stats, {"indices"}).items())
    for (const auto& [shard, copies] : object(figures, {"shards"}).items()) {
      if (!copies.is_array()) continue;
      for (const Json& copy : copies) {
        const Json* primary = find(copy, {"routing", "primary"});
        const Json* value = find(copy, {total.section, total.key});
        if (primary != nullptr && *primary == true && value != nullptr && value->is_number())
          values.push_back(*value);
      }
    }
  return values;
}

class IndexStats final : public TelemetryDevice {
 public:
  Async<void> poll(Probe& probe, When when) override {
    const std::optional<Json> stats = co_await ask(probe, "/_stats/_all?level=shards");
    if (!stats) co_return;
    if (when == When::start)
      start(probe, *stats);
    else
      finish(probe, *stats);
  }

 private:
  static void start(Probe& probe, const Json& stats) {
    const Json& primaries = object(stats, {"_all", "primaries"});
    for (const Total& total : kTimes) {
      const auto value = number(primaries, {total.section, total.key});
      put(probe, fmt::format("start_{}", total.name), value, "ms");
      if (value && *value > kCleanLimitMs)
        probe.notes.warning(
            fmt::format("{} is {:.0f} ms before the race: the cluster has worked already, and the "
                        "figures of index work include that.",
                        total.name, *value));
    }
    for (const Total& total : kCounts)
      put(probe, fmt::format("start_{}", total.name), number(primaries, {total.section, total.key}), "");
    for (const Total& total : kSizes)
      put(probe, fmt::format("start_{}", total.name),
          number(object(stats, {"_all", "total"}), {total.section, total.key}), "byte");
  }

  static void finish(Probe& probe, const Json& stats) {
    const Json& primaries = object(stats, {"_all", "primaries"});
    for (const Total& total : kTimes) {
      Json fields = Json::object();
      fields["per-shard"] = per_shard(stats, total);
      put(probe, total.name, number(primaries, {total.section, total.key}), "ms", {}, std::move(fields));
    }
    for (const Total& total : kCounts)
      put(probe, total.name, number(primaries, {total.section, total.key}), "");
    for (const Total& total : kMemory)
      put(probe, total.name, number(primaries, {total.section, total.key}), "byte");
    for (const Total& total : kSizes)
      put(probe, total.name, number(object(stats, {"_all", "total"}), {total.section, total.key}), "byte");
  }
};

std::unique_ptr<TelemetryDevice> make_index_stats(const Json&, const Track&) {
  return std::make_unique<IndexStats>();
}

const Registered<DeviceType> index_stats_device{
    "index-stats",
    {"Times, counts and sizes of indexing, merges, refreshes and flushes", true, make_index_stats}};

}  // namespace
}  // namespace pacenote::telemetry
