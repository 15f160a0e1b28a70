// Order statistics of many durations.
#pragma once

#include <cstdint>
#include <span>

#include "core/results.hpp"

namespace pacenote {

/// Percentiles that the number of values supports with their intervals, and the mean, in milliseconds.
Distribution distribution(std::span<const std::int64_t> nanoseconds);

}  // namespace pacenote
