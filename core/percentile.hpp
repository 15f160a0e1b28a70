// Order statistics of many durations.
#pragma once

#include <cstdint>
#include <vector>

#include "core/results.hpp"

namespace pacenote {

/// Percentiles that the number of values supports, and the mean, in milliseconds. Reorders `nanoseconds`.
Distribution distribution(std::vector<std::int64_t>& nanoseconds);

}  // namespace pacenote
