#include "core/sandbox/index.hpp"

#include <algorithm>
#include <charconv>

namespace pacenote::sandbox {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr std::size_t kKeptDocuments = 10'000;
constexpr std::uint64_t kKeptBytes = 64U << 20U;
constexpr std::size_t kSegmentsPerTier = 10;  // Lucene's TieredMergePolicy
constexpr std::uint64_t kMergeBytesPerSecond = 80'000'000;
constexpr std::uint64_t kThrottleFrom = 20U << 20U;  // of one merge, as total_auto_throttle
constexpr std::uint64_t kWriterBuffer = 64U << 20U;  // a segment is written when it is full

std::uint64_t hash_of(std::string_view id) { return std::hash<std::string_view>()(id); }

nanoseconds merge_takes(std::uint64_t bytes) {
  return milliseconds(2) + nanoseconds(bytes * 1'000'000'000 / kMergeBytesPerSecond);
}

/// Replaces segments [first, end) by one.
void merge_range(Shard& shard, std::size_t first, Instant now) {
  Segment merged;
  std::uint64_t read = 0;
  for (std::size_t i = first; i < shard.segments.size(); ++i) {
    merged.docs += shard.segments[i].docs;
    merged.bytes += shard.segments[i].bytes;
    read += shard.segments[i].bytes;
  }
  merged.bytes -= merged.bytes / 20;  // shared term dictionaries and stored-field blocks
  shard.segments.resize(first);
  shard.segments.push_back(merged);
  const nanoseconds takes = merge_takes(read);
  ++shard.merges;
  shard.merged_docs += merged.docs;
  shard.merged_bytes += read;
  shard.merge_time += takes;
  if (read > kThrottleFrom) shard.merge_throttled += takes / 10;
  shard.merging_until = std::max(shard.merging_until, now) + takes;
}

void write_segment(Shard& shard, Instant now) {
  for (Segment& segment : shard.segments) {
    const std::uint64_t here = std::min(shard.buffered_deletes, segment.docs);
    segment.docs -= here;
    segment.deleted += here;
    shard.buffered_deletes -= here;
  }
  shard.buffered_docs -= std::min(shard.buffered_docs, shard.buffered_deletes);
  if (shard.buffered_docs > 0)
    shard.segments.push_back({shard.buffered_docs, 0, 2'000 + shard.buffered_bytes * 7 / 10});
  shard.buffered_docs = shard.buffered_bytes = shard.buffered_deletes = 0;
  std::erase_if(shard.segments, [](const Segment& s) { return s.docs == 0 && s.deleted > 0; });
  std::sort(shard.segments.begin(), shard.segments.end(),
            [](const Segment& a, const Segment& b) { return a.bytes > b.bytes; });
  if (shard.segments.size() > kSegmentsPerTier) merge_range(shard, shard.segments.size() / 2, now);
}

}  // namespace

std::uint64_t Shard::docs() const {
  std::uint64_t sum = 0;
  for (const Segment& s : segments) sum += s.docs;
  return sum;
}

std::uint64_t Shard::deleted() const {
  std::uint64_t sum = 0;
  for (const Segment& s : segments) sum += s.deleted;
  return sum;
}

std::uint64_t Shard::store_bytes() const {
  std::uint64_t sum = 225;  // an empty commit
  for (const Segment& s : segments) sum += s.bytes;
  return sum;
}

const Json& Document::json() const {
  if (!parsed) parsed = std::make_shared<const Json>(parse_json(source));
  return *parsed;
}

void KeptDocuments::put(Document document) {
  bytes_ += document.source.size();
  const auto [it, added] = position_.try_emplace(hash_of(document.id), forgotten_ + documents_.size());
  if (!added) {
    documents_[it->second - forgotten_].live = false;
    it->second = forgotten_ + documents_.size();
  }
  documents_.push_back(std::move(document));
  while (documents_.size() > kKeptDocuments || (bytes_ > kKeptBytes && documents_.size() > 1)) {
    bytes_ -= documents_.front().source.size();
    if (documents_.front().live) position_.erase(hash_of(documents_.front().id));
    documents_.pop_front();
    ++forgotten_;
  }
}

void KeptDocuments::remove(const std::string& id) {
  const auto it = position_.find(hash_of(id));
  if (it == position_.end()) return;
  documents_[it->second - forgotten_].live = false;
  position_.erase(it);
}

const Document* KeptDocuments::find(const std::string& id) const {
  const auto it = position_.find(hash_of(id));
  return it == position_.end() ? nullptr : &documents_[it->second - forgotten_];
}

void KeptDocuments::make_searchable() {
  const std::uint64_t begin = std::max(first_hidden_, forgotten_) - forgotten_;
  for (std::uint64_t i = begin; i < documents_.size(); ++i) documents_[i].searchable = true;
  first_hidden_ = forgotten_ + documents_.size();
}

std::uint64_t Index::docs() const {
  std::uint64_t sum = 0;
  for (const Shard& shard : shards) sum += shard.docs();
  return sum;
}

std::string Index::setting(const std::string& key, std::string_view otherwise) const {
  const auto it = settings.find(key);
  if (it == settings.end() || it->is_null()) return std::string(otherwise);
  return it->is_string() ? it->get<std::string>() : to_text(*it);
}

void Index::settings_changed() {
  constexpr std::uint64_t kFlushThreshold = 512U << 20U;
  replicas = static_cast<std::uint32_t>(parse_bytes(setting("number_of_replicas", "1")).value_or(1));
  write_blocked = setting("blocks.write", "false") == "true";
  default_pipeline = setting("default_pipeline", "");
  refresh_interval = parse_time(setting("refresh_interval", "1s")).value_or(Duration::zero());
  flush_threshold = parse_bytes(setting("translog.flush_threshold_size", "512mb")).value_or(kFlushThreshold);
}

std::uint32_t Index::shard_of(std::string_view routing) const {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(routing) % shards.size());
}

bool refresh(Shard& shard, Instant now) {
  ++shard.refreshes;
  const bool dirty = shard.buffered_docs + shard.buffered_deletes > 0;
  shard.refresh_time += dirty ? milliseconds(4) + nanoseconds(300) * shard.buffered_docs : microseconds(300);
  if (dirty) write_segment(shard, now);
  return dirty;
}

void refresh(Index& index, Instant now) {
  for (Shard& shard : index.shards) refresh(shard, now);
  index.kept.make_searchable();
  index.refreshed = now;
}

void flush(Index& index, Instant now) {
  for (Shard& shard : index.shards) {
    if (shard.translog_operations == 0) continue;
    refresh(shard, now);
    ++shard.flushes;
    shard.flush_time += milliseconds(12) + nanoseconds(shard.translog_bytes / 2);
    shard.translog_operations = shard.translog_bytes = 0;
  }
  index.kept.make_searchable();
}

Instant force_merge(Index& index, std::uint64_t segments, Instant now) {
  Instant end = now;
  flush(index, now);
  for (Shard& shard : index.shards) {
    const std::size_t keep = segments == 0 ? std::max<std::size_t>(shard.segments.size(), 1) : segments;
    const bool deletes = segments > 0 && shard.deleted() > 0;
    if (shard.segments.size() > keep || deletes) {
      for (Segment& s : shard.segments) s.deleted = 0;
      merge_range(shard, std::min(keep, shard.segments.size()) - 1, now);
    }
    end = std::max(end, shard.merging_until);
  }
  return end;
}

void housekeeping(Index& index, Instant now) {
  const bool due = index.refresh_interval.count() > 0 && now - index.refreshed >= index.refresh_interval;
  bool full = false;
  for (Shard& shard : index.shards) {
    if (due && shard.buffered_docs + shard.buffered_deletes > 0) refresh(shard, now);
    if (shard.buffered_bytes > kWriterBuffer) write_segment(shard, now);
    full = full || shard.translog_bytes > index.flush_threshold;
  }
  if (due) {
    index.kept.make_searchable();
    index.refreshed = now;
  }
  if (full) flush(index, now);
}

bool merging(const Shard& shard, Instant now) { return shard.merging_until > now; }

std::optional<Duration> parse_time(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit.empty() && number <= 0) return Duration(static_cast<std::int64_t>(number));
  if (unit == "ms") return from_seconds(number / 1e3);
  if (unit == "s") return from_seconds(number);
  if (unit == "m") return from_seconds(number * 60);
  if (unit == "h") return from_seconds(number * 3600);
  if (unit == "d") return from_seconds(number * 86400);
  if (unit == "micros" || unit == "us") return from_seconds(number / 1e6);
  if (unit == "nanos") return from_seconds(number / 1e9);
  return std::nullopt;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  constexpr std::string_view kUnits = "kmgt";
  if (unit.empty() || unit == "b") return number;
  const std::size_t power = kUnits.find(unit.front());
  if (power == std::string_view::npos) return std::nullopt;
  return number << (10 * (power + 1));
}

}  // namespace pacenote::sandbox
