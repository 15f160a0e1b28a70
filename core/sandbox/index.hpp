// One index: its shards' counters, and the latest of its documents.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/json.hpp"
#include "core/units.hpp"

namespace pacenote::sandbox {

struct Segment {
  std::uint64_t docs = 0, deleted = 0, bytes = 0;
};

/// What a primary shard counts; its replicas count the same. The times are those a node would plausibly need,
/// computed from documents and bytes, so that equal work gives equal figures.
struct Shard {
  std::vector<Segment> segments;
  std::uint64_t buffered_docs = 0, buffered_bytes = 0, buffered_deletes = 0;  ///< since the last refresh
  std::uint64_t operations = 0;  ///< ever; the next sequence number
  std::uint64_t index_total = 0, index_failed = 0, delete_total = 0;
  Duration index_time{}, delete_time{};
  std::uint64_t refreshes = 0, flushes = 0;
  Duration refresh_time{}, flush_time{};
  std::uint64_t merges = 0, merged_docs = 0, merged_bytes = 0;
  Duration merge_time{}, merge_throttled{};
  Instant merging_until{};  ///< a merge is under way before this
  std::uint64_t translog_operations = 0, translog_bytes = 0;
  std::uint64_t queries = 0, fetches = 0, gets = 0;
  Duration query_time{}, fetch_time{};

  std::uint64_t docs() const;  ///< that a search finds
  std::uint64_t deleted() const;
  std::uint64_t store_bytes() const;
};

struct Document {
  std::string id;
  std::shared_ptr<const std::string> owner;  ///< of the text; shared by the documents of one bulk
  std::string_view source;
  std::uint64_t version = 1, sequence = 0;
  std::uint32_t shard = 0;
  bool searchable = false, live = true;
  mutable std::shared_ptr<const Json> parsed;  ///< by json(), once a search has looked at it
  const Json& json() const;
};

/// The latest documents, for searches and gets. The oldest are forgotten past a number and a size.
class KeptDocuments {
 public:
  void put(Document document);
  void remove(const std::string& id);
  const Document* find(const std::string& id) const;
  void make_searchable();
  /// Oldest first; look at `live`.
  const std::deque<Document>& all() const { return documents_; }

 private:
  std::deque<Document> documents_;
  /// By hash of the id; counted from the first document ever kept.
  std::unordered_map<std::uint64_t, std::uint64_t> position_;
  std::uint64_t forgotten_ = 0, bytes_ = 0, first_hidden_ = 0;
};

struct Index {
  std::string name, uuid, data_stream;
  std::int64_t created_ms = 0;
  Json settings = Json::object();  ///< flat, without "index.": {"number_of_shards": "1", …}
  Json mappings = Json::object(), aliases = Json::object();
  std::vector<Shard> shards;
  std::uint32_t replicas = 1;
  bool closed = false;
  Instant refreshed{};
  KeptDocuments kept;
  /// Version by hash of the id, of the live documents that came with an id of their own.
  std::unordered_map<std::uint64_t, std::uint32_t> versions;

  // Read out of `settings`, for what every write looks at.
  bool write_blocked = false;
  std::string default_pipeline;
  Duration refresh_interval{};  ///< not above 0: never by itself
  std::uint64_t flush_threshold = 0;

  void settings_changed();
  std::uint64_t docs() const;
  std::string setting(const std::string& name, std::string_view otherwise) const;
  std::uint32_t shard_of(std::string_view routing) const;
};

/// Makes what was written searchable. True if there was anything.
bool refresh(Shard& shard, Instant now);
void refresh(Index& index, Instant now);
void flush(Index& index, Instant now);
/// Merges each shard down to `segments`; returns when the longest of the merges ends.
Instant force_merge(Index& index, std::uint64_t segments, Instant now);
/// Does what the settings want done by itself: refresh_interval, translog.flush_threshold_size.
void housekeeping(Index& index, Instant now);
/// Whether a shard's merge is under way.
bool merging(const Shard& shard, Instant now);

/// "1s", "500ms", "-1" → nanoseconds (negative: off). None if it is no time.
std::optional<Duration> parse_time(std::string_view text);
/// "512mb" → bytes.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

}  // namespace pacenote::sandbox
