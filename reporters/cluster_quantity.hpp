// The figures of the whole cluster by the names that gates and comparisons ask for: "young gc time".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "reporters/numbers.hpp"

namespace pacenote::reporters {

struct ClusterQuantity {
  std::string name;    ///< what a person writes
  std::string figure;  ///< Rally's name of the same: "Total Young Gen GC time"
  std::string unit;    ///< of the report, which `scale` makes of what is stored
  Scale scale = Scale::none;
};

/// In the order of Rally's summary; without ML jobs and transforms, which have names of their own.
const std::vector<ClusterQuantity>& cluster_quantities();

/// By either name; case, and `_` for a blank, do not count. Null for a text that names none.
const ClusterQuantity* cluster_quantity(std::string_view text);

/// What is stored (ms, bytes, counts) in Results::cluster.
std::optional<double> value_of(const ClusterQuantity& quantity, const Json& cluster);

}  // namespace pacenote::reporters
