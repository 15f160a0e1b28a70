// The words every other file speaks in: time, identity, weight.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace pacenote {

using Duration = std::chrono::nanoseconds;
using Instant = std::chrono::steady_clock::time_point;
/// Wall-clock time: only a label on races and metrics, never subtracted to get a duration.
using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

enum class ClientId : std::uint32_t {};   ///< one of the race's clients, 0-based
enum class TaskIndex : std::uint32_t {};  ///< position among the challenge's leaf tasks, in schedule order

/// What one request was worth. `unit` is plural ("ops", "docs", "pages"): a literal, or text interned in
/// Names.
struct Weight {
  double amount = 1;
  std::string_view unit = "ops";
};

/// Seconds as a double, for formulas and the edge only.
inline double seconds(Duration d) { return std::chrono::duration<double>(d).count(); }
/// At most 30 years either way, so that sums of some stay within 64 bits of nanoseconds.
inline Duration from_seconds(double s) {
  constexpr double kMost = 30 * 365.25 * 86400;
  if (!(s > -kMost)) s = -kMost;
  if (s > kMost) s = kMost;
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(s));
}

}  // namespace pacenote
