#include "reporters/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "core/json.hpp"

namespace pacenote::reporters {
namespace {

std::optional<Number> number_at(const Json& object, const std::string& key) {
  if (!object.is_object()) return std::nullopt;
  const auto it = object.find(key);
  if (it == object.end() || !it->is_number()) return std::nullopt;
  if (it->is_number_float()) return Number(it->get<double>());
  return Number(it->get<std::int64_t>());
}

const Json& list_at(const Json& object, const std::string& key) {
  static const Json none = Json::array();
  const auto it = object.find(key);
  return it != object.end() && it->is_array() ? *it : none;
}

class Figures {
 public:
  Figures(const Json& cluster, Use use) : cluster_(cluster), use_(use) {}

  void add(std::string name, const std::string& key, std::string unit = {}, Scale scale = Scale::none) {
    figures_.push_back({std::move(name), "", number_at(cluster_, key), std::move(unit), scale, false});
  }

  /// One of the times of primary shards; `counted`: its events are, too.
  void times(const std::string& what, const std::string& key, bool counted) {
    const bool total = key == "total";
    add(fmt::format("Cumulative {} time of primary shards", what), total ? "total_time" : key + "_time",
        "min", Scale::ms_to_min);
    if (counted) add(fmt::format("Cumulative {} count of primary shards", what), key + "_count");
    const auto shards = cluster_.find(key + "_time_per_shard");
    for (const char* which : {"Min", "Median", "Max"}) {
      std::string stat = which;
      stat[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(stat[0])));
      figures_.push_back({fmt::format("{} cumulative {} time across primary {}", which, what,
                                      use_ == Use::summary ? "shards" : "shard"),
                          "", shards == cluster_.end() ? std::nullopt : number_at(*shards, stat), "min",
                          Scale::ms_to_min, false});
    }
  }

  void ml_jobs() {
    for (const Json& job : list_at(cluster_, "ml_processing_time")) {
      for (const auto& [name, key] :
           {std::pair("Min", "min"), {"Mean", "mean"}, {"Median", "median"}, {"Max", "max"}}) {
        figures_.push_back({fmt::format("{} ML processing time", name), member_text(job, "job"),
                            number_at(job, key), member_text(job, "unit"), Scale::none, false});
      }
    }
  }

  void transforms(const std::string& name, const std::string& key, bool more_is_better = false) {
    for (const Json& transform : list_at(cluster_, key)) {
      figures_.push_back({name, member_text(transform, "id"), number_at(transform, "mean"),
                          member_text(transform, "unit"), Scale::none, more_is_better});
    }
  }

  void gc() {
    for (const auto& [name, key] : {std::pair("Young Gen", "young"),
                                    {"Old Gen", "old"},
                                    {"ZGC Cycles", "zgc_cycles"},
                                    {"ZGC Pauses", "zgc_pauses"}}) {
      add(fmt::format("Total {} GC time", name), fmt::format("{}_gc_time", key), "s", Scale::ms_to_s);
      add(fmt::format("Total {} GC count", name), fmt::format("{}_gc_count", key));
    }
  }

  std::vector<Figure> take() { return std::move(figures_); }

 private:
  const Json& cluster_;
  Use use_;
  std::vector<Figure> figures_;
};

void shards(Figures& figures) {
  figures.times("indexing", "total", false);
  figures.times("indexing throttle", "indexing_throttle", false);
  figures.times("merge", "merge", true);
  figures.times("merge throttle", "merge_throttle", false);
  figures.times("refresh", "refresh", true);
  figures.times("flush", "flush", true);
}

void sizes(Figures& figures) {
  figures.add("Dataset size", "dataset_size", "GB", Scale::gigabyte);
  figures.add("Store size", "store_size", "GB", Scale::gigabyte);
  figures.add("Translog size", "translog_size", "GB", Scale::gigabyte);
  for (const auto& [what, key] : {std::pair("segments", "segments"),
                                  {"doc values", "doc_values"},
                                  {"terms", "terms"},
                                  {"norms", "norms"},
                                  {"points", "points"},
                                  {"stored fields", "stored_fields"}}) {
    figures.add(fmt::format("Heap used for {}", what), fmt::format("memory_{}", key), "MB", Scale::megabyte);
  }
  figures.add("Segment count", "segment_count");
}

}  // namespace

std::vector<Figure> cluster_figures(const Json& cluster, Use use) {
  Figures figures(cluster, use);
  shards(figures);
  figures.ml_jobs();
  figures.gc();
  sizes(figures);
  figures.transforms("Transform processing time", "total_transform_processing_times");
  figures.transforms("Transform indexing time", "total_transform_index_times");
  figures.transforms("Transform search time", "total_transform_search_times");
  figures.transforms("Transform throughput", "total_transform_throughput", true);
  figures.add("Total Ingest Pipeline count", "ingest_pipeline_cluster_count");
  if (use == Use::summary) {
    figures.add("Total Ingest Pipeline time", "ingest_pipeline_cluster_time", "s", Scale::ms_to_s);
  } else {
    figures.add("Total Ingest Pipeline time", "ingest_pipeline_cluster_time", "ms");
  }
  figures.add("Total Ingest Pipeline failed", "ingest_pipeline_cluster_failed");
  return figures.take();
}

const std::vector<std::string>& disk_usage_kinds() {
  static const std::vector<std::string> kinds{"inverted index", "stored fields", "doc values", "points",
                                              "norms",          "term vectors",  "total"};
  return kinds;
}

std::vector<DiskUsage> disk_usage(const Json& cluster) {
  std::map<std::tuple<std::string, double, std::string>, std::vector<DiskUsage>> fields;
  std::map<std::pair<std::string, std::string>, double> totals;
  for (const Json& entry : list_at(cluster, "disk_usage_total")) {
    totals[{member_text(entry, "index"), member_text(entry, "field")}] = entry.value("value", 0.0);
  }
  for (const std::string& kind : disk_usage_kinds()) {
    std::string key = fmt::format("disk_usage_{}", kind);
    std::replace(key.begin(), key.end(), ' ', '_');
    for (const Json& entry : list_at(cluster, key)) {
      DiskUsage usage{member_text(entry, "index"), member_text(entry, "field"), kind,
                      entry.value("value", 0.0)};
      const auto total = totals.find({usage.index, usage.field});
      if (total == totals.end()) continue;
      fields[{usage.index, total->second, usage.field}].push_back(std::move(usage));
    }
  }
  std::vector<DiskUsage> out;
  for (auto& [place, usages] : fields) out.insert(out.end(), usages.begin(), usages.end());
  return out;
}

}  // namespace pacenote::reporters
