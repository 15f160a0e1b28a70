#include "core/operations/errors.hpp"

#include <fmt/format.h>

#include <cctype>

#include "core/json.hpp"

namespace pacenote {
namespace {

constexpr std::size_t kLongest = 300;
constexpr std::size_t kUuid = 22;  // base64 of 16 bytes, as Elasticsearch writes UUIDs

bool is_uuid_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "[logs/Tq0oJ2YlTwuu9TtVbLuCdQ]" -> "[logs]".
std::string without_uuids(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t end = i + 1;
    while (text[i] == '/' && end < text.size() && is_uuid_char(text[end])) ++end;
    if (end == i + 1 + kUuid && end < text.size() && text[end] == ']')
      i = end - 1;
    else
      out += text[i];
  }
  return out;
}

/// Object addresses ("@1f2e3d") go; each run of digits becomes N.
std::string without_counters(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '@') {
      while (i + 1 < text.size() && std::isxdigit(static_cast<unsigned char>(text[i + 1])) != 0) ++i;
    } else if (is_digit(text[i])) {
      while (i + 1 < text.size() && is_digit(text[i + 1])) ++i;
      out += 'N';
    } else {
      out += text[i];
    }
  }
  return out;
}

/// Their reasons are full of pool sizes and byte counts.
bool counts_in_reason(std::string_view type) {
  return type.find("rejected") != std::string_view::npos ||
         type.find("circuit_breaking") != std::string_view::npos;
}

std::string one_line(std::string_view text) {
  std::string out(text.substr(0, text.find_first_of("\r\n")));
  if (out.size() <= kLongest) return out;
  std::size_t cut = kLongest;
  while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xC0U) == 0x80U) --cut;  // not inside a character
  return fmt::format("{}...", out.substr(0, cut));
}

/// The root cause says what was wrong where the outer error only says that all shards failed.
std::string described(const Json& error) {
  std::string out = error_text(member_text(error, "type"), member_text(error, "reason"));
  const auto causes = error.find("root_cause");
  if (causes == error.end() || !causes->is_array() || causes->empty() || !causes->front().is_object())
    return out;
  const std::string cause =
      error_text(member_text(causes->front(), "type"), member_text(causes->front(), "reason"));
  return cause.empty() || cause == out ? out : fmt::format("{}, caused by {}", out, cause);
}

}  // namespace

std::string error_text(std::string_view type, std::string_view reason) {
  std::string said = without_uuids(reason);
  if (counts_in_reason(type)) said = without_counters(said);
  if (type.empty()) return one_line(said);
  return said.empty() ? std::string(type) : one_line(fmt::format("{}: {}", type, said));
}

std::string error_text(std::string_view body) {
  const Json answer = parse_json(body);
  if (answer.is_object()) {
    const auto error = answer.find("error");
    if (error != answer.end() && error->is_object()) return described(*error);
    if (error != answer.end() && error->is_string()) return error_text("", error->get<std::string>());
  }
  return body.empty() ? "empty answer" : one_line(body);
}

}  // namespace pacenote
