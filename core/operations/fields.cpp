#include "core/operations/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace pacenote {
namespace {

std::string name_of(const Json& params, std::string_view given) {
  if (!given.empty()) return std::string(given);
  for (const char* key : {"name", "operation-type"}) {
    const auto it = params.find(key);
    if (it != params.end() && it->is_string()) return it->get<std::string>();
  }
  return "?";
}

}  // namespace

Fields::Fields(const Json& params, std::string_view operation)
    : params_(params), operation_(name_of(params, operation)) {}

void Fields::fail(std::string_view key, std::string_view what, std::string hint) const {
  throw UserError(fmt::format("operation [{}]: parameter [{}] {}", operation_, key, what), std::move(hint));
}

const Json* Fields::find(std::string_view key) const {
  if (!params_.is_object()) return nullptr;
  const auto it = params_.find(std::string(key));
  return it == params_.end() || it->is_null() ? nullptr : &*it;
}

const Json& Fields::mandatory(std::string_view key) const {
  if (const Json* value = find(key)) return *value;
  fail(key, "is missing", "add it to the operation, or let its parameter source provide it");
}

std::optional<std::string> Fields::text(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) fail(key, fmt::format("must be a string, is {}", to_text(*value)));
  return value->get<std::string>();
}

std::string Fields::text(std::string_view key, std::string_view fallback) const {
  return text(key).value_or(std::string(fallback));
}

std::string Fields::mandatory_text(std::string_view key) const {
  mandatory(key);
  return *text(key);
}

std::optional<bool> Fields::flag(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_boolean()) return value->get<bool>();
  if (*value == "true") return true;
  if (*value == "false") return false;
  fail(key, fmt::format("must be true or false, is {}", to_text(*value)));
}

std::optional<double> Fields::number(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number()) fail(key, fmt::format("must be a number, is {}", to_text(*value)));
  return value->get<double>();
}

std::optional<std::uint64_t> Fields::count(std::string_view key) const {
  const auto value = number(key);
  if (!value) return std::nullopt;
  if (*value < 0 || *value > 1e15) fail(key, fmt::format("must not be {}", to_text(*find(key))));
  return static_cast<std::uint64_t>(*value);
}

std::optional<Duration> Fields::seconds(std::string_view key) const {
  const auto value = number(key);
  if (!value) return std::nullopt;
  constexpr double kYear = 366.0 * 24 * 3600;  // more would not fit the clock once added to it
  if (*value < 0) fail(key, fmt::format("must be seconds >= 0, is {}", to_text(*find(key))));
  return from_seconds(std::min(*value, kYear));
}

std::vector<std::string> Fields::list(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) return {};
  if (value->is_string()) return {value->get<std::string>()};
  std::vector<std::string> out;
  if (value->is_array())
    for (const Json& item : *value)
      if (item.is_string()) out.push_back(item.get<std::string>());
  if (!value->is_array() || out.size() != value->size())
    fail(key, fmt::format("must be a string or a list of strings, is {}", to_text(*value)));
  return out;
}

const Json& Fields::object(std::string_view key) const {
  static const Json empty = Json::object();
  const Json* value = find(key);
  if (value == nullptr) return empty;
  if (!value->is_object()) fail(key, fmt::format("must be an object, is {}", to_text(*value)));
  return *value;
}

}  // namespace pacenote
