// A task's samples as curves: what charts show. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/sample.hpp"
#include "core/summarize.hpp"

namespace pacenote::reporters {

/// One stretch of time. Times of requests that began in it; work by the end of requests.
struct SeriesPoint {
  double at_s = 0;  ///< its middle, since the race's epoch
  double per_second = 0;
  double p50_ms = 0, p99_ms = 0, max_ms = 0;  ///< latency; of no request: not meant, see requests
  std::uint64_t requests = 0, errors = 0;
};

/// Value at percentile 100 * (1 - 10^-nines): 1 is the 90th, 2 the 99th, 3 the 99.9th.
struct CurvePoint {
  double nines = 0, latency_ms = 0, service_time_ms = 0;
};

struct TaskSeries {
  std::string task, unit;
  double start_s = 0;  ///< of the task's first request
  std::vector<SeriesPoint> points;
  std::vector<CurvePoint> curve;  ///< of normal samples, up to the last of them
};

/// At most `most` points, none shorter than a tenth of a second. Memory: 24 bytes a sample; calls `samples`
/// twice.
TaskSeries task_series(std::string task, std::string unit, const SampleBlocks& samples, Instant epoch,
                       std::size_t most);

/// One figure of telemetry over time.
struct MetricSeries {
  std::string name, unit, node;
  std::vector<std::pair<double, double>> points;  ///< seconds since the epoch, value
};

/// Figures that were taken at three times or more and changed, thinned out to `most` points each; sorted by
/// name and node.
std::vector<MetricSeries> metric_series(std::span<const Metric> metrics, Instant epoch, std::size_t most);

}  // namespace pacenote::reporters
