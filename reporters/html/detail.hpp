// How much of a report fits into its file.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace pacenote::reporters {

struct Detail {
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  bool brief = false;       ///< one row a task in place of all its figures
  std::size_t rows = kAll;  ///< of a table
  std::size_t notes = kAll;
  std::size_t name = kAll;          ///< characters of a task's name, and of other text
  std::size_t tasks = kAll;         ///< of a race in the charts
  std::size_t curve_points = kAll;  ///< of a percentile curve
};

/// Text cut to detail.name characters, "…" after what was cut.
std::string clipped(const std::string& text, const Detail& detail);

}  // namespace pacenote::reporters
