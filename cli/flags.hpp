// Every flag of Rally's `race` (behaviour F.7) and pacenote's own, each with what pacenote does about it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"

namespace pacenote::cli {

enum class FlagStatus : std::uint8_t {
  works,
  ignored,  ///< what it asks for is so anyway; `help` says why
  refused,  ///< outside of what pacenote is; `help` is the reason
  not_yet,  ///< `help` is the reason
};

/// What setters fill in; flags that only together make a value are kept as text until all are read.
struct RaceReading {
  RaceOptions options;
  std::optional<std::string> target_hosts, pipeline;
  std::string client_options;
};

struct Flag {
  std::string_view name;  ///< "--track"
  FlagStatus status;
  std::string_view group;   ///< heading in the help; empty: left out of it
  std::string_view value;   ///< what it takes, as the help calls it; empty: a switch
  std::string_view preset;  ///< its default, as the help shows it. A flag that does not work may be given it
  std::string_view help;
  /// UserError for a bad value. Null where status is not `works`.
  void (*set)(RaceReading& reading, const std::string& value);
};

/// In the order of the help.
const std::vector<Flag>& race_flags();

/// UserError that says that `flag` is refused or not there yet.
[[noreturn]] void refuse(const Flag& flag);

}  // namespace pacenote::cli
