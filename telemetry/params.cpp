#include "telemetry/params.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/error.hpp"

namespace pacenote::telemetry {
namespace {

[[noreturn]] void wrong(const std::string& key, const Json& value, const std::string& expected) {
  throw UserError(
      fmt::format("The telemetry parameter [{}] must be {}, but is {}", key, expected, to_text(value)),
      "Correct it in --telemetry-params.");
}

std::optional<bool> truth(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (!value.is_string()) return std::nullopt;
  const auto text = value.get<std::string>();
  constexpr std::array<std::string_view, 7> yes{"true", "True", "yes", "on", "t", "y", "1"};
  constexpr std::array<std::string_view, 7> no{"false", "False", "no", "off", "f", "n", "0"};
  if (std::find(yes.begin(), yes.end(), text) != yes.end()) return true;
  if (std::find(no.begin(), no.end(), text) != no.end()) return false;
  return std::nullopt;
}

}  // namespace

bool flag(const Json& params, const std::string& key, bool otherwise) {
  const auto it = params.find(key);
  if (it == params.end()) return otherwise;
  const auto value = truth(*it);
  if (!value) wrong(key, *it, "true or false");
  return *value;
}

Duration period(const Json& params, const std::string& key, Duration otherwise) {
  constexpr double year_s = 366.0 * 86400;
  const auto it = params.find(key);
  if (it == params.end()) return otherwise;
  const double value = it->is_number() ? it->get<double>() : 0;
  if (!(value >= 0.001 && value <= year_s)) wrong(key, *it, "a positive number of seconds");
  return from_seconds(value);
}

}  // namespace pacenote::telemetry
