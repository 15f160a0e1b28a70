#include "core/sandbox/bulk_parser.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "core/sandbox/handler.hpp"
#include "core/sandbox/json_check.hpp"

namespace pacenote::sandbox {
namespace {

constexpr std::array<std::string_view, 4> kOps{"index", "create", "update", "delete"};

std::optional<Op> op_from(std::string_view name) {
  for (std::size_t i = 0; i < kOps.size(); ++i)
    if (name == kOps[i]) return static_cast<Op>(i);
  return std::nullopt;
}

/// Reads the usual action line, one object in another with text values only. Anything else: false.
class ActionScanner {
 public:
  explicit ActionScanner(std::string_view line) : rest_(line) {}
  bool scan(BulkAction& action) {
    std::string_view name;
    if (!take('{') || !text(name) || !take(':') || !take('{')) return false;
    const std::optional<Op> op = op_from(name);
    if (!op) return false;
    action.op = *op;
    if (!take('}')) {
      do {
        std::string_view key, value;
        if (!text(key) || !take(':') || !text(value) || !put(action, key, value)) return false;
      } while (take(','));
      if (!take('}')) return false;
    }
    return take('}') && skip_blanks().empty();
  }

 private:
  static bool put(BulkAction& action, std::string_view key, std::string_view value) {
    if (key == "_index")
      action.index = value;
    else if (key == "_id")
      action.id = value;
    else if (key == "routing" || key == "_routing")
      action.routing = value;
    else
      return false;
    return true;
  }
  std::string_view skip_blanks() {
    const std::size_t n = std::min(rest_.find_first_not_of(" \t\r"), rest_.size());
    rest_.remove_prefix(n);
    return rest_;
  }
  bool take(char c) {
    if (skip_blanks().empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool text(std::string_view& out) {
    if (!take('"')) return false;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        out = rest_.substr(0, i);
        rest_.remove_prefix(i + 1);
        return true;
      }
      if (rest_[i] == '\\' || static_cast<signed char>(rest_[i]) < 0x20) return false;
    }
    return false;
  }

  std::string_view rest_;
};

BulkMistake malformed(std::size_t line, const std::string& what) {
  return {"illegal_argument_exception", fmt::format("Malformed action/metadata line [{}], {}", line, what)};
}

BulkMistake unknown_action(std::size_t line, std::string_view name, Flavor flavor) {
  const std::string_view expected = flavor == Flavor::elasticsearch_8
                                        ? "field [create], [delete], [index] or [update]"
                                        : "one of [create, delete, index, update]";
  return malformed(line, fmt::format("expected {} but found [{}]", expected, name));
}

std::string_view token_of(const Json& value) {
  if (value.is_array()) return "START_ARRAY";
  if (value.is_string()) return "VALUE_STRING";
  if (value.is_number()) return "VALUE_NUMBER";
  if (value.is_null()) return "VALUE_NULL";
  return value.is_boolean() ? "VALUE_BOOLEAN" : "START_OBJECT";
}

/// One key of the metadata. The mistake where the products know no such key.
std::optional<BulkMistake> put_meta(BulkAction& action, const std::string& key, const Json& value,
                                    std::size_t line) {
  if (value.is_object() || value.is_array())
    return malformed(
        line, fmt::format("expected a simple value for field [{}] but found [{}]", key, token_of(value)));
  if (key == "_index")
    action.index = plain_text(value);
  else if (key == "_id")
    action.id = value.is_null() ? "" : plain_text(value);
  else if (key == "routing" || key == "_routing")
    action.routing = plain_text(value);
  else if (key == "pipeline")
    action.pipeline = plain_text(value);
  else if (key == "op_type")
    action.op = plain_text(value) == "create" ? Op::create : action.op;
  else if (key != "_type" && key != "version" && key != "version_type" && key != "retry_on_conflict" &&
           key != "if_seq_no" && key != "if_primary_term" && key != "require_alias" &&
           key != "dynamic_templates" && key != "list_executed_pipelines" && key != "require_data_stream" &&
           key != "_source")
    return BulkMistake{
        "illegal_argument_exception",
        fmt::format("Action/metadata line [{}] contains an unknown parameter [{}]", line, key)};
  return std::nullopt;
}

/// What the scanner could not read. `skip` is set for what Elasticsearch 7 passes over in silence.
std::optional<BulkMistake> read_action(std::string_view text, std::size_t line, Flavor flavor,
                                       BulkAction& action, bool& skip) {
  const Json json = parse_json(text);
  if (json.is_discarded())
    return BulkMistake{
        flavor == Flavor::elasticsearch_8 ? "x_content_parse_exception" : "json_parse_exception",
        fmt::format("Unexpected character in action/metadata line [{}]", line)};
  if (!json.is_object())
    return malformed(line, fmt::format("expected START_OBJECT but found [{}]", token_of(json)));
  if (json.empty()) return malformed(line, "expected FIELD_NAME but found [END_OBJECT]");
  const std::string name = json.begin().key();
  const std::optional<Op> op = op_from(name);
  if (!op) {
    skip = flavor == Flavor::elasticsearch_7;
    return skip ? std::nullopt : std::optional(unknown_action(line, name, flavor));
  }
  const Json& meta = json.begin().value();
  if (!meta.is_object())
    return malformed(line, fmt::format("expected START_OBJECT but found [{}]", token_of(meta)));
  if (json.size() > 1) return malformed(line, "expected END_OBJECT but found [FIELD_NAME]");
  action.op = *op;
  for (const auto& [key, value] : meta.items())
    if (auto mistake = put_meta(action, key, value, line)) return mistake;
  return std::nullopt;
}

/// Lines of the body, one after the other. Memory is searched by memchr.
class Lines {
 public:
  explicit Lines(std::string_view body) : rest_(body) {}
  bool next(std::string_view& line) {
    const void* const end = rest_.empty() ? nullptr : std::memchr(rest_.data(), '\n', rest_.size());
    if (end == nullptr) return false;
    const auto size = static_cast<std::size_t>(static_cast<const char*>(end) - rest_.data());
    line = rest_.substr(0, size);
    rest_.remove_prefix(size + 1);
    ++number_;
    return true;
  }
  std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

std::optional<BulkMistake> whole_body_mistake(std::string_view body) {
  if (body.empty()) return BulkMistake{"parse_exception", "request body is required"};
  if (body.back() != '\n')
    return BulkMistake{"illegal_argument_exception",
                       "The bulk request must be terminated by a newline [\\n]"};
  return std::nullopt;
}

std::optional<BulkMistake> validate(const std::vector<BulkAction>& actions) {
  std::string reasons;
  std::size_t number = 0;
  if (actions.empty()) reasons = " 1: no requests added;";
  for (const BulkAction& action : actions) {
    if (action.index.empty()) reasons += fmt::format(" {}: index is missing;", ++number);
    if (action.id.empty() && (action.op == Op::update || action.op == Op::del))
      reasons += fmt::format(" {}: id is missing;", ++number);
  }
  if (reasons.empty()) return std::nullopt;
  return BulkMistake{"action_request_validation_exception", fmt::format("Validation Failed:{}", reasons)};
}

}  // namespace

std::string_view to_string(Op op) { return kOps[static_cast<std::size_t>(op)]; }

ParsedBulk parse_bulk(std::string_view body, std::string_view default_index, Flavor flavor) {
  ParsedBulk out;
  if ((out.mistake = whole_body_mistake(body))) return out;
  constexpr std::size_t kUsualAction = 200;  // bytes with its document
  out.actions.reserve(body.size() / kUsualAction);
  Lines lines(body);
  std::string_view line;
  while (lines.next(line)) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    BulkAction action;
    bool skip = false;
    if (!ActionScanner(line).scan(action)) {
      action = BulkAction();
      if ((out.mistake = read_action(line, lines.number(), flavor, action, skip))) return out;
    }
    if (action.index.empty()) action.index = default_index;
    if (action.op != Op::del || skip) {
      if (!lines.next(action.source)) break;  // the products drop an action whose document is missing
      action.valid = skip || is_json_object(action.source);
    }
    if (!skip) out.actions.push_back(std::move(action));
  }
  out.mistake = validate(out.actions);
  return out;
}

}  // namespace pacenote::sandbox
