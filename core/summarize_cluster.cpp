// Rally's cluster-wide results (rally metrics.py:2588 GlobalStatsCalculator), from the metrics of telemetry.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/summarize.hpp"

namespace pacenote {
namespace {

struct Field {
  const char *field, *metric;
};

/// Sums over the metrics of the whole cluster, each with what its shards had where `per_shard` names a field.
struct Total {
  const char *field, *metric, *per_shard;
};
constexpr std::array<Total, 9> kIndexTotals{{
    {"total_time", "indexing_total_time", "total_time_per_shard"},
    {"indexing_throttle_time", "indexing_throttle_time", "indexing_throttle_time_per_shard"},
    {"merge_time", "merges_total_time", "merge_time_per_shard"},
    {"merge_count", "merges_total_count", nullptr},
    {"refresh_time", "refresh_total_time", "refresh_time_per_shard"},
    {"refresh_count", "refresh_total_count", nullptr},
    {"flush_time", "flush_total_time", "flush_time_per_shard"},
    {"flush_count", "flush_total_count", nullptr},
    {"merge_throttle_time", "merges_total_throttled_time", "merge_throttle_time_per_shard"},
}};
constexpr std::array<Field, 8> kCollections{{
    {"young_gc_time", "node_total_young_gen_gc_time"},
    {"young_gc_count", "node_total_young_gen_gc_count"},
    {"old_gc_time", "node_total_old_gen_gc_time"},
    {"old_gc_count", "node_total_old_gen_gc_count"},
    {"zgc_cycles_gc_time", "node_total_zgc_cycles_gc_time"},
    {"zgc_cycles_gc_count", "node_total_zgc_cycles_gc_count"},
    {"zgc_pauses_gc_time", "node_total_zgc_pauses_gc_time"},
    {"zgc_pauses_gc_count", "node_total_zgc_pauses_gc_count"},
}};
constexpr std::array<Field, 6> kMemory{{
    {"memory_segments", "segments_memory_in_bytes"},
    {"memory_doc_values", "segments_doc_values_memory_in_bytes"},
    {"memory_terms", "segments_terms_memory_in_bytes"},
    {"memory_norms", "segments_norms_memory_in_bytes"},
    {"memory_points", "segments_points_memory_in_bytes"},
    {"memory_stored_fields", "segments_stored_fields_memory_in_bytes"},
}};
constexpr std::array<Field, 3> kSizes{{
    {"dataset_size", "dataset_size_in_bytes"},
    {"store_size", "store_size_in_bytes"},
    {"translog_size", "translog_size_in_bytes"},
}};
constexpr std::array<Field, 3> kIngest{{
    {"ingest_pipeline_cluster_count", "ingest_pipeline_cluster_count"},
    {"ingest_pipeline_cluster_time", "ingest_pipeline_cluster_time"},
    {"ingest_pipeline_cluster_failed", "ingest_pipeline_cluster_failed"},
}};
constexpr std::array<const char*, 4> kTransforms{
    "total_transform_search_times", "total_transform_index_times", "total_transform_processing_times",
    "total_transform_throughput"};
constexpr std::array<const char*, 7> kDiskUsage{
    "disk_usage_total",  "disk_usage_inverted_index", "disk_usage_stored_fields", "disk_usage_doc_values",
    "disk_usage_points", "disk_usage_norms",          "disk_usage_term_vectors"};

/// As Rally writes it: whole numbers without a fraction.
Json as_json(double value) {
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (std::floor(value) == value && std::abs(value) < exact) return static_cast<std::int64_t>(value);
  return value;
}

Json as_json(std::optional<double> value) { return value ? as_json(*value) : Json(); }

std::vector<double> values_of(std::span<const Metric> metrics, std::string_view name) {
  std::vector<double> out;
  for (const Metric& metric : metrics)
    if (metric.name == name && metric.node.empty() && metric.value) out.push_back(*metric.value);
  return out;
}

std::optional<double> sum(std::span<const Metric> metrics, std::string_view name) {
  const std::vector<double> values = values_of(metrics, name);
  if (values.empty()) return std::nullopt;
  double out = 0;
  for (const double value : values) out += value;
  return out;
}

double median_of_sorted(const std::vector<double>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

std::optional<double> median(std::span<const Metric> metrics, std::string_view name) {
  std::vector<double> values = values_of(metrics, name);
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  return median_of_sorted(values);
}

/// {min, median, max, unit}; empty without shards.
Json shard_stats(std::span<const Metric> metrics, std::string_view name) {
  std::vector<double> values;
  std::string unit;
  for (const Metric& metric : metrics) {
    if (metric.name != name || !metric.fields.is_object()) continue;
    const auto shards = metric.fields.find("per-shard");
    if (shards == metric.fields.end() || !shards->is_array()) continue;
    unit = metric.unit;
    for (const Json& value : *shards)
      if (value.is_number()) values.push_back(value.get<double>());
  }
  Json out = Json::object();
  if (values.empty()) return out;
  std::sort(values.begin(), values.end());
  out["min"] = as_json(values.front());
  out["median"] = as_json(median_of_sorted(values));
  out["max"] = as_json(values.back());
  out["unit"] = unit;
  return out;
}

/// What the race added to each total, under the name of its field. Less than before means that indices were
/// deleted meanwhile: then nothing can be said.
Json growth(std::span<const Metric> metrics) {
  Json out = Json::object();
  const auto add = [&](const char* field, const std::string& metric) {
    const auto before = sum(metrics, "start_" + metric);
    const auto after = sum(metrics, metric);
    if (before && after && *after >= *before) out[field] = as_json(*after - *before);
  };
  for (const Total& total : kIndexTotals) add(total.field, total.metric);
  for (const Field& size : kSizes) add(size.field, size.metric);
  return out;
}

}  // namespace

Json summarize_cluster(std::span<const Metric> metrics) {
  Json out = Json::object();
  for (const Total& total : kIndexTotals) {
    out[total.field] = as_json(sum(metrics, total.metric));
    if (total.per_shard != nullptr) out[total.per_shard] = shard_stats(metrics, total.metric);
  }
  out["ml_processing_time"] = Json::array();
  for (const Field& field : kCollections) out[field.field] = as_json(sum(metrics, field.metric));
  for (const Field& field : kMemory) out[field.field] = as_json(median(metrics, field.metric));
  for (const Field& field : kSizes) out[field.field] = as_json(sum(metrics, field.metric));
  const auto segments = median(metrics, "segments_count");
  out["segment_count"] = segments ? Json(static_cast<std::int64_t>(*segments)) : Json();
  for (const char* field : kTransforms) out[field] = Json::array();
  for (const Field& field : kIngest) out[field.field] = as_json(sum(metrics, field.metric));
  for (const char* field : kDiskUsage) out[field] = Json::array();
  Json ours = Json::object();
  ours["growth"] = growth(metrics);
  out["pacenote"] = std::move(ours);
  return out;
}

}  // namespace pacenote
