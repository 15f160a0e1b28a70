#include "core/sandbox/shard_stats.hpp"

#include <set>

#include "core/sandbox/handler.hpp"

namespace pacenote::sandbox {
namespace {

std::int64_t ms(Duration d) { return std::chrono::duration_cast<std::chrono::milliseconds>(d).count(); }

Json writing(const Shard& s) {
  return {{"indexing",
           {{"index_total", s.index_total},
            {"index_time_in_millis", ms(s.index_time)},
            {"index_current", 0},
            {"index_failed", s.index_failed},
            {"delete_total", s.delete_total},
            {"delete_time_in_millis", ms(s.delete_time)},
            {"delete_current", 0},
            {"noop_update_total", 0},
            {"is_throttled", false},
            {"throttle_time_in_millis", 0}}},
          {"get",
           {{"total", s.gets},
            {"time_in_millis", s.gets / 20},
            {"exists_total", s.gets},
            {"exists_time_in_millis", s.gets / 20},
            {"missing_total", 0},
            {"missing_time_in_millis", 0},
            {"current", 0}}},
          {"search",
           {{"open_contexts", 0},
            {"query_total", s.queries},
            {"query_time_in_millis", ms(s.query_time)},
            {"query_current", 0},
            {"fetch_total", s.fetches},
            {"fetch_time_in_millis", ms(s.fetch_time)},
            {"fetch_current", 0},
            {"scroll_total", 0},
            {"scroll_time_in_millis", 0},
            {"scroll_current", 0},
            {"suggest_total", 0},
            {"suggest_time_in_millis", 0},
            {"suggest_current", 0}}}};
}

Json upkeep(const Shard& s, Instant now) {
  const bool busy = merging(s, now);
  return {{"merges",
           {{"current", busy ? 1 : 0},
            {"current_docs", busy ? s.docs() : 0},
            {"current_size_in_bytes", busy ? s.store_bytes() : 0},
            {"total", s.merges},
            {"total_time_in_millis", ms(s.merge_time)},
            {"total_docs", s.merged_docs},
            {"total_size_in_bytes", s.merged_bytes},
            {"total_stopped_time_in_millis", 0},
            {"total_throttled_time_in_millis", ms(s.merge_throttled)},
            {"total_auto_throttle_in_bytes", 20971520}}},
          {"refresh",
           {{"total", s.refreshes},
            {"total_time_in_millis", ms(s.refresh_time)},
            {"external_total", s.refreshes},
            {"external_total_time_in_millis", ms(s.refresh_time)},
            {"listeners", 0}}},
          {"flush", {{"total", s.flushes}, {"periodic", 0}, {"total_time_in_millis", ms(s.flush_time)}}},
          {"warmer", {{"current", 0}, {"total", s.refreshes}, {"total_time_in_millis", 0}}}};
}

/// Heap of a segment: only before Elasticsearch 8 and OpenSearch 2 is it still counted, as with Lucene 8.
Json segments(const State& state, const Shard& s) {
  const std::uint64_t each = state.flavor == Flavor::elasticsearch_7 ? s.segments.size() : 0;
  return {{"count", s.segments.size()},
          {"memory_in_bytes", each * 1452},
          {"terms_memory_in_bytes", each * 704},
          {"stored_fields_memory_in_bytes", each * 488},
          {"term_vectors_memory_in_bytes", 0},
          {"norms_memory_in_bytes", each * 64},
          {"points_memory_in_bytes", 0},
          {"doc_values_memory_in_bytes", each * 196},
          {"index_writer_memory_in_bytes", s.buffered_bytes * 2},
          {"version_map_memory_in_bytes", 0},
          {"fixed_bit_set_memory_in_bytes", 0},
          {"max_unsafe_auto_id_timestamp", -1},
          {"file_sizes", Json::object()}};
}

Json memory(const State& state, const Shard& s) {
  constexpr std::uint64_t kEmptyTranslog = 55;
  Json out = {{"query_cache",
               {{"memory_size_in_bytes", 0},
                {"total_count", 0},
                {"hit_count", 0},
                {"miss_count", 0},
                {"cache_size", 0},
                {"cache_count", 0},
                {"evictions", 0}}},
              {"fielddata", {{"memory_size_in_bytes", 0}, {"evictions", 0}}},
              {"completion", {{"size_in_bytes", 0}}}};
  out["segments"] = segments(state, s);
  out["translog"] = {{"operations", s.translog_operations},
                     {"size_in_bytes", kEmptyTranslog + s.translog_bytes},
                     {"uncommitted_operations", s.translog_operations},
                     {"uncommitted_size_in_bytes", kEmptyTranslog + s.translog_bytes},
                     {"earliest_last_modified_age", 0}};
  out["request_cache"] = {{"memory_size_in_bytes", 0}, {"evictions", 0}, {"hit_count", 0}, {"miss_count", 0}};
  out["recovery"] = {{"current_as_source", 0}, {"current_as_target", 0}, {"throttle_time_in_millis", 0}};
  return out;
}

}  // namespace

Json shard_stats(const State& state, const Shard& shard, Instant now) {
  Json store = {{"size_in_bytes", shard.store_bytes()}};
  if (!state.opensearch()) store["total_data_set_size_in_bytes"] = shard.store_bytes();
  store["reserved_in_bytes"] = 0;
  Json out = {{"docs", {{"count", shard.docs()}, {"deleted", shard.deleted()}}}};
  if (!state.opensearch()) out["shard_stats"] = {{"total_count", 1}};
  out["store"] = store;
  out.update(writing(shard));
  out.update(upkeep(shard, now));
  out.update(memory(state, shard));
  return out;
}

void add_stats(Json& sum, const Json& part) {
  for (const auto& [key, value] : part.items()) {
    Json& own = sum[key];
    if (value.is_object()) {
      if (own.is_null()) own = Json::object();
      add_stats(own, value);
    } else if (value.is_number_float() && own.is_number()) {
      own = own.get<double>() + value.get<double>();
    } else if (value.is_number() && own.is_number() && value != -1) {
      own = own.get<std::int64_t>() + value.get<std::int64_t>();
    } else {
      own = value;
    }
  }
}

bool choose_sections(Json& stats, const std::string& metrics, std::string& unknown) {
  if (metrics.empty() || metrics == "_all") return true;
  static const std::set<std::string> kKnown{
      "docs",          "store",    "indexing",    "get",         "search",     "merge",    "refresh",
      "flush",         "warmer",   "query_cache", "fielddata",   "completion", "segments", "translog",
      "request_cache", "recovery", "bulk",        "shard_stats", "suggest",    "mappings", "dense_vector"};
  Json chosen = Json::object();
  for (const std::string& name : split(metrics)) {
    if (name == "_all") return true;
    if (!kKnown.contains(name)) {
      unknown = name;
      return false;
    }
    const std::string key = name == "merge" ? "merges" : name;
    if (stats.contains(key)) chosen[key] = stats[key];
  }
  stats = chosen;
  return true;
}

}  // namespace pacenote::sandbox
