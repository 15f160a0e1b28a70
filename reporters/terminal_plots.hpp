// A task's throughput and latency as a few lines of block and Braille characters.
#pragma once

#include <string>
#include <vector>

#include "reporters/series.hpp"

namespace pacenote::reporters {

inline constexpr std::size_t kMostPlotted = 12;      ///< tasks
inline constexpr std::uint64_t kFewestPlotted = 10;  ///< samples: fewer make no curve

/// Columns of a plot on a terminal of `width` columns; 0 where none fits. No series needs more points.
std::size_t plot_columns(std::size_t width);

/// For each task a spark line of its throughput over time and a curve of its latency by percentile, both
/// scales of the curve logarithmic. UTF-8; empty for no task and where none fits. `left_out`: further tasks,
/// counted.
std::string terminal_plots(const std::vector<TaskSeries>& tasks, std::size_t left_out, std::size_t width);

}  // namespace pacenote::reporters
