// Samples and metrics -> figures. Pure. Rally's formulas under Rally's names (behaviour D), ours beside them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/names.hpp"
#include "core/results.hpp"
#include "core/sample.hpp"
#include "core/track.hpp"

namespace pacenote {

/// Percentile p of sorted xs by linear interpolation at rank p/100*(n-1) (rally metrics.py). p in [0, 100];
/// xs non-empty, ascending.
double percentile(std::span<const double> sorted, double p);

/// Which percentiles n samples support (behaviour D.3): {100}, {50,100}, …; empty for n = 0.
std::vector<double> percentiles_for(std::uint64_t n);

/// All samples of one task, some thousands at a time.
using SampleBlocks = std::function<void(const std::function<void(std::span<const Sample>)>& use)>;

/// Rally's results of one task (D.2, D.3), from all its samples in any order. Results::include_in_reporting
/// is the task's own flag or error_rate > 0. Memory: 24 bytes a sample, mostly; calls `blocks`
/// once.
TaskResult summarize(const Task& task, const SampleBlocks& blocks, const Names& names);
TaskResult summarize(const Task& task, std::span<const Sample> samples, const Names& names);

/// Rally's flat cluster-wide fields from telemetry's metrics (D.3, last part); null where there is no metric.
Json summarize_cluster(std::span<const Metric> metrics);

}  // namespace pacenote
