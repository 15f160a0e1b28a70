#include "cli/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "core/error.hpp"
#include "core/text.hpp"

namespace pacenote::cli {
namespace {

[[noreturn]] void wrong(const std::string& message, const std::string& hint) {
  throw UserError(message, hint, ExitCode::usage);
}

/// Client options hold passwords, so their text must not reach an error message.
std::string shown(std::string_view flag, std::string_view item) {
  return flag == "--client-options" ? std::string() : fmt::format(" [{}]", item);
}

std::string file_text(std::string_view flag, std::string_view name) {
  std::filesystem::path path(name);
  const char* home = std::getenv("HOME");
  if (name.starts_with("~/") && home != nullptr) path = std::filesystem::path(home) / name.substr(2);
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  if (!in || !(out << in.rdbuf()))
    throw UserError(fmt::format("{}: file [{}] cannot be read", flag, name),
                    "text that ends in .json names a file");
  return out.str();
}

/// `what` is "--flag" or "--flag: file [x]".
Json parsed(const std::string& what, std::string_view text) {
  try {
    return parse_json_strictly(text);
  } catch (const Json::parse_error& error) {
    wrong(fmt::format("{} is not valid JSON near character {}", what, error.byte),
          "keys and texts stand in double quotes; the shell needs single quotes around the whole");
  }
}

/// A name that ends in .json is a file, unless it reads as k:v and no such file exists.
bool names_file(std::string_view text) {
  if (!text.ends_with(".json")) return false;
  std::error_code ignored;
  return text.find(':') == std::string_view::npos || std::filesystem::exists(text, ignored);
}

/// Python's int() and float() allow single underscores between digits; none where `text` has others.
std::optional<std::string> without_underscores(std::string_view text) {
  std::string out;
  const auto digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_')
      out += text[i];
    else if (i == 0 || !digit(i - 1) || !digit(i + 1))
      return std::nullopt;
  }
  return out;
}

std::optional<Json> number(std::string_view given) {
  const auto plain = without_underscores(given);
  if (!plain) return std::nullopt;
  std::string_view text = *plain;
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.front() == '+' || (given.front() == '+' && text.front() == '-'))
    return std::nullopt;
  const char* end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto r = std::from_chars(text.data(), end, whole); r.ec == std::errc() && r.ptr == end)
    return whole;
  const std::string word = lower_case(text.front() == '-' ? text.substr(1) : text);
  if (word == "nan" || word == "inf" || word == "infinity") {
    const double value =
        word == "nan" ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    return text.front() == '-' ? -value : value;
  }
  if (word.starts_with("nan") || word.starts_with("inf")) return std::nullopt;
  double real = 0;
  if (const auto r = std::from_chars(text.data(), end, real); r.ec == std::errc() && r.ptr == end)
    return real;
  return std::nullopt;
}

Json value_of(std::string_view text) {
  if (text.starts_with('\'')) return text.size() < 2 ? "" : std::string(text.substr(1, text.size() - 2));
  if (const auto found = number(text)) return *found;
  const std::string word = lower_case(text);
  if (word == "true") return true;
  if (word == "false") return false;
  if (word == "none") return nullptr;
  return std::string(text);
}

/// Where the item that begins at `from` ends: at the next comma, or behind the quoted value that holds it.
std::size_t item_end(std::string_view text, std::size_t from) {
  const std::size_t comma = std::min(text.find(',', from), text.size());
  const std::size_t colon = text.find(':', from);
  if (colon >= comma) return comma;
  const std::size_t open = text.find_first_not_of(" \t", colon + 1);
  if (open == std::string_view::npos || text[open] != '\'') return comma;
  for (std::size_t close = text.find('\'', open + 1); close != std::string_view::npos;
       close = text.find('\'', close + 1)) {
    const std::size_t next = text.find_first_not_of(" \t", close + 1);
    if (next == std::string_view::npos) return text.size();
    if (text[next] == ',') return next;
  }
  return comma;
}

Json key_values(std::string_view flag, std::string_view text) {
  Json out = Json::object();
  int place = 1;
  for (std::size_t from = 0; from <= text.size(); ++place) {
    const std::size_t end = item_end(text, from);
    const std::string_view item = trimmed(text.substr(from, end - from));
    const std::size_t colon = item.find(':');
    if (colon == std::string_view::npos)
      wrong(fmt::format("{}: item {}{} is not of the form key:value", flag, place, shown(flag, item)),
            "write k:v,k2:v2, JSON, or the name of a .json file");
    out[std::string(trimmed(item.substr(0, colon)))] = value_of(trimmed(item.substr(colon + 1)));
    from = end + 1;
  }
  return out;
}

std::vector<std::string> list_of(const std::string& what, const Json& json) {
  std::vector<std::string> out;
  const bool fits =
      json.is_array() && std::all_of(json.begin(), json.end(), [](const Json& j) { return j.is_string(); });
  if (!fits) wrong(fmt::format("{} must be an array of texts", what), R"(write ["a", "b"] or a,b)");
  for (const Json& item : json) out.push_back(item.get<std::string>());
  return out;
}

}  // namespace

Json to_dict(std::string_view flag, std::string_view given) {
  const std::string_view text = trimmed(given);
  if (text.empty()) return Json::object();
  if (names_file(text)) return parsed(fmt::format("{}: file [{}]", flag, text), file_text(flag, text));
  if (text.front() == '{' || text.front() == '[') return parsed(std::string(flag), text);
  if (Json json = parse_json(text); !json.is_discarded()) return json;
  return key_values(flag, text);
}

Json to_object(std::string_view flag, std::string_view text) {
  Json json = to_dict(flag, text);
  if (!json.is_object())
    wrong(fmt::format("{} must be an object, not {}", flag, json.type_name()), R"(write {"k": "v"} or k:v)");
  return json;
}

std::vector<std::string> csv_to_list(std::string_view flag, std::string_view given) {
  const std::string_view text = trimmed(given);
  if (text.empty()) return {};
  if (text.ends_with(".json")) {
    const std::string what = fmt::format("{}: file [{}]", flag, text);
    return list_of(what, parsed(what, file_text(flag, text)));
  }
  if (text.front() == '[') return list_of(std::string(flag), parsed(std::string(flag), text));
  return comma_list(text);
}

std::vector<std::string> comma_list(std::string_view text) {
  std::vector<std::string> out;
  if (trimmed(text).empty()) return out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    out.emplace_back(trimmed(text.substr(from, end - from)));
    from = end + 1;
  }
  return out;
}

}  // namespace pacenote::cli
