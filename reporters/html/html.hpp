// A report as one HTML file that needs nothing else.
#pragma once

#include <string>
#include <vector>

#include "reporters/comparison.hpp"
#include "reporters/series.hpp"
#include "reporters/table.hpp"

namespace pacenote::reporters {

/// One race as the file shows it.
struct HtmlRace {
  RacedSide side;
  std::vector<TaskSeries> tasks;
  std::vector<MetricSeries> metrics;
};

/// Points a task's curve may have so that the file stays below 1 MB, with so many tasks over all races.
std::size_t html_points(std::size_t tasks);

/// Charts with the races one over the other, tables of each, and of `comparison` if there is one. Nothing
/// that a name or tag holds is more than text. Below 1 MB: where all of it would not fit, tables have one row
/// a task and long names are cut, which the file says.
std::string html_report(const std::vector<HtmlRace>& races, const Table* comparison);

}  // namespace pacenote::reporters
