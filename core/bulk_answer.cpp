#include "core/bulk_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace pacenote {
namespace {

constexpr int kTooManyRequests = 429;

/// A cursor over the head of an answer: `"key": scalar` pairs.
class HeadReader {
 public:
  explicit HeadReader(std::string_view text) : rest_(text) {}
  bool take(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// A key or text without escapes; none otherwise.
  std::optional<std::string_view> quoted() {
    if (!take('"')) return std::nullopt;
    const std::size_t end = rest_.find_first_of("\"\\");
    if (end == std::string_view::npos || rest_[end] == '\\') return std::nullopt;
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }
  /// true, false, null or a number; empty for an array or object, and where the text ends within it.
  std::string_view plain() {
    skip_blanks();
    const std::size_t end = rest_.find_first_of(",}]{[\" \t\r\n");
    if (end == std::string_view::npos) return {};
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return text;
  }

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  std::string_view rest_;
};

enum class Field : std::uint8_t {
  other,
  took,
  ingest_took,
  errors,
  items,
  status,
  result,
  error,
  reason,
  shards,
  total,
  successful,
  failed,
  type
};

Field field_of(const std::string& key) {
  static const std::map<std::string_view, Field> fields{
      {"took", Field::took},      {"ingest_took", Field::ingest_took},
      {"errors", Field::errors},  {"items", Field::items},
      {"status", Field::status},  {"result", Field::result},
      {"error", Field::error},    {"reason", Field::reason},
      {"_shards", Field::shards}, {"type", Field::type},
      {"total", Field::total},    {"successful", Field::successful},
      {"failed", Field::failed},
  };
  const auto it = fields.find(key);
  return it == fields.end() ? Field::other : it->second;
}

/// What one item says. Of a set of shards only whether it was there, and its numbers.
struct Item {
  std::string action, result;
  int status = 0;
  bool has_error = false, has_shards = false;
  std::optional<std::string> reason, type;  ///< of its error
  std::int64_t total = 0, successful = 0, failed = 0;
  bool is_failed() const { return status > 299 || failed > 0; }
};

void add_details(BulkAnswer& answer, const Item& item) {
  const auto count = [](Json& counters, const std::string& name) {
    if (counters.is_null()) counters = Json::object();
    counters[name] = counters.value(name, std::uint64_t{0}) + 1;
  };
  count(answer.ops[item.action], "item-count");
  if (!item.result.empty()) count(answer.ops[item.action], item.result);
  if (!item.has_shards) return;
  const Json shards{{"total", item.total}, {"successful", item.successful}, {"failed", item.failed}};
  for (Json& row : answer.shards_histogram)
    if (row.at("shards") == shards) return count(row, "item-count");
  answer.shards_histogram.push_back({{"item-count", 1}, {"shards", shards}});
}

void add(BulkAnswer& answer, Item& item, bool details) {
  answer.max_status = std::max(answer.max_status, item.status);
  answer.is_delete.push_back(item.action == "delete");
  if (item.is_failed()) {
    ++answer.failed;
    answer.max_failed_status = std::max(answer.max_failed_status, item.status);
    if (item.status == kTooManyRequests) answer.rejected.push_back(answer.items);
    if (item.reason && item.reason->empty()) item.reason.reset();
    if (item.type && item.reason) item.reason = fmt::format("{}: {}", *item.type, *item.reason);
    answer.distinct_errors.emplace(item.status, item.reason ? item.reason : item.type);
  }
  if (details) add_details(answer, item);
  ++answer.items;
}

/// Hears the parser's events. {"took":…,"items":[{"index":{"status":…,"error":{…},"_shards":{…}}}]}: fields
/// of the answer are at depth 1, an item's action at 3, its fields at 4, those of its error and shards at 5.
class AnswerReader {
 public:
  AnswerReader(BulkAnswer& answer, bool details) : answer_(answer), details_(details) {}

  bool null() { return true; }
  bool boolean(bool value) {
    if (depth_ == 1 && field_ == Field::errors) answer_.errors = value;
    return true;
  }
  bool number_integer(std::int64_t value) { return number(value); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<std::int64_t>(value)); }
  bool number_float(double value, const std::string&) { return number(static_cast<std::int64_t>(value)); }
  bool string(std::string& value) {
    if (!in_items_) return true;
    if (depth_ == 4 && field_ == Field::result) item_.result = value;
    const bool reason = (depth_ == 4 && field_ == Field::error) ||
                        (depth_ == 5 && parent_ == Field::error && field_ == Field::reason);
    if (reason) item_.reason = value;
    if (depth_ == 5 && parent_ == Field::error && field_ == Field::type) item_.type = value;
    return true;
  }
  bool binary(Json::binary_t&) { return true; }
  bool key(std::string& name) {
    if (in_items_ && depth_ == 3)
      item_.action = name;
    else
      field_ = field_of(name);
    if (depth_ == 1 && (field_ == Field::took || field_ == Field::errors || field_ == Field::items))
      answer_.names_result = true;
    return true;
  }
  bool start_object(std::size_t) {
    ++depth_;
    if (in_items_ && depth_ == 4)
      item_ = Item{.action = item_.action, .result = {}, .reason = {}, .type = {}};
    if (in_items_ && depth_ == 5) parent_ = field_;
    if (in_items_ && depth_ == 5 && field_ == Field::shards) item_.has_shards = true;
    return true;
  }
  bool end_object() {
    if (in_items_ && depth_ == 4) add(answer_, item_, details_);
    --depth_;
    return true;
  }
  bool start_array(std::size_t) {
    in_items_ = in_items_ || (depth_ == 1 && field_ == Field::items);
    ++depth_;
    return depth_ > 1;  // an array is no answer
  }
  bool end_array() {
    --depth_;
    in_items_ = in_items_ && depth_ > 1;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) { return false; }

 private:
  bool number(std::int64_t value) {
    if (depth_ == 1 && field_ == Field::took) answer_.took_ms = value;
    if (depth_ == 1 && field_ == Field::ingest_took) answer_.ingest_took_ms = value;
    if (!in_items_) return true;
    if (depth_ == 4 && field_ == Field::status) item_.status = static_cast<int>(value);
    if (depth_ != 5 || parent_ != Field::shards) return true;
    if (field_ == Field::total) item_.total = value;
    if (field_ == Field::successful) item_.successful = value;
    if (field_ == Field::failed) item_.failed = value;
    return true;
  }

  BulkAnswer& answer_;
  bool details_;
  int depth_ = 0;
  bool in_items_ = false;
  Field field_ = Field::other, parent_ = Field::other;
  Item item_;
};

}  // namespace

BulkHead bulk_head(std::string_view body) {
  BulkHead head;
  HeadReader read(body);
  if (!read.take('{')) return head;
  do {
    const std::optional<std::string_view> key = read.quoted();
    if (!key || !read.take(':')) return head;
    const std::string_view value = read.plain();
    if (value.empty() && !read.quoted()) return head;
    if (*key == "errors" && (value == "true" || value == "false")) head.errors = value == "true";
    std::int64_t took = 0;
    if (*key == "took" && std::from_chars(value.data(), value.data() + value.size(), took).ec == std::errc{})
      head.took_ms = took;
    if (head.errors && head.took_ms) return head;
  } while (read.take(','));
  return head;
}

std::optional<BulkAnswer> read_bulk_answer(std::string_view body, bool details) {
  BulkAnswer answer;
  AnswerReader reader(answer, details);
  const std::size_t first = std::min(body.find_first_not_of(" \t\r\n"), body.size());
  if (!body.substr(first).starts_with('{') || !Json::sax_parse(body.begin(), body.end(), &reader))
    return std::nullopt;
  return answer;
}

std::string describe(const std::set<BulkError>& errors) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> parts;
  std::map<int, std::uint64_t> per_status;
  for (const auto& [status, reason] : errors) {
    ++per_status[status];
    if (parts.size() == kShown) continue;
    parts.push_back(reason ? fmt::format("HTTP status: {}, message: {}", status, *reason)
                           : fmt::format("HTTP status: {}", status));
  }
  if (errors.size() > kShown) {
    std::vector<std::string> counts;
    for (const auto& [status, count] : per_status) counts.push_back(fmt::format("{}x{}", count, status));
    parts.push_back(fmt::format("TRUNCATED {}", fmt::join(counts, ", ")));
  }
  return fmt::format("{}", fmt::join(parts, " | "));
}

}  // namespace pacenote
