// The cluster-wide figures of a race in Rally's order (behaviour E.1, parts 1 to 9).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "reporters/numbers.hpp"

namespace pacenote::reporters {

struct Figure {
  std::string name, task;  ///< task: an ML job or a transform; else empty
  std::optional<Number> value;
  std::string unit;
  Scale scale = Scale::none;
  bool more_is_better = false;
};

/// Rally's summary and its comparison name, pick and convert some figures differently.
enum class Use : std::uint8_t { summary, comparison };

/// All figures but disk usage per field, with and without a value; `cluster` is Results::cluster.
std::vector<Figure> cluster_figures(const Json& cluster, Use use);

/// Bytes that one kind of data of one field takes.
struct DiskUsage {
  std::string index, field, kind;
  double bytes = 0;
};
/// Names of kinds in Rally's order, the total last.
const std::vector<std::string>& disk_usage_kinds();
/// Sorted by index, the field's total, field; kinds in Rally's order, only what was recorded.
std::vector<DiskUsage> disk_usage(const Json& cluster);

}  // namespace pacenote::reporters
