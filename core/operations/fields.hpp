// Typed access to an operation's parameters: what a track's author got wrong is said with operation and name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "core/units.hpp"

namespace pacenote {

/// A view of one parameters object, which must outlive it. A null counts as absent everywhere. All getters
/// throw UserError for a value of the wrong type.
class Fields {
 public:
  /// `operation` is a name for messages; empty: the object's own `name` or `operation-type`.
  explicit Fields(const Json& params, std::string_view operation = {});

  const Json* find(std::string_view key) const;       ///< none: absent or null
  const Json& mandatory(std::string_view key) const;  ///< UserError if absent
  std::optional<std::string> text(std::string_view key) const;
  std::string text(std::string_view key, std::string_view fallback) const;
  std::string mandatory_text(std::string_view key) const;
  std::optional<bool> flag(std::string_view key) const;  ///< true, false, or these as text
  std::optional<double> number(std::string_view key) const;
  std::optional<std::uint64_t> count(std::string_view key) const;
  std::optional<Duration> seconds(std::string_view key) const;  ///< a number >= 0
  std::vector<std::string> list(std::string_view key) const;    ///< a string, or a list of strings
  const Json& object(std::string_view key) const;               ///< empty object if absent

  const std::string& operation() const { return operation_; }
  /// UserError: "operation [x]: parameter [key] <what>".
  [[noreturn]] void fail(
      std::string_view key, std::string_view what,
      std::string hint = "the track reference of Rally has the parameters of each operation") const;

 private:
  const Json& params_;
  std::string operation_;
};

}  // namespace pacenote
