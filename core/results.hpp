// The figures of a race, as Rally's race.json has them (behaviour F.4), and pacenote's own beside them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/driver_cost.hpp"
#include "core/json.hpp"
#include "core/statistics/interval.hpp"

namespace pacenote {

/// Over Rally's running averages (D.2), in `unit` (e.g. "docs/s"). All four or none.
struct ThroughputStats {
  std::optional<double> min, mean, median, max;
  std::string unit;
};

/// Milliseconds. `percentiles` in ascending order of p (behaviour D.3 says which for n samples); empty for n
/// = 0. `intervals`: between what each of them lies (95 %), where n is large enough to tell.
struct Distribution {
  std::vector<std::pair<double, double>> percentiles;
  std::optional<double> mean;
  std::vector<std::pair<double, statistics::Interval>> intervals;
};

enum class TaskState : std::uint8_t { complete, incomplete, not_run };

struct ErrorCount {
  std::string text;  ///< "type: description"
  std::uint64_t count = 0;
};

struct TaskResult {
  std::string task, operation, operation_type;
  ThroughputStats throughput;
  Distribution latency, service_time, processing_time;
  double error_rate = 0;   ///< [0, 1] of requests
  double duration_ms = 0;  ///< start of the last request since the task's start
  Json meta;               ///< null or object
  bool include_in_reporting = true;
  // pacenote's own
  TaskState state = TaskState::complete;
  std::uint64_t samples = 0, warmup_samples = 0,
                failed = 0;                      ///< requests; samples: normal ones, failed of them
  std::uint64_t attempts = 0;                    ///< more than samples + warm-ups: retries
  std::uint64_t items_ok = 0, items_failed = 0;  ///< documents of bulks, normal samples
  std::optional<double> overall_throughput;   ///< weight / time over the normal samples, in throughput.unit
  std::optional<double> accepted_throughput;  ///< the same without failed documents; bulk only
  double elapsed_s = 0;                       ///< first begin to last end, all samples
  std::vector<ErrorCount> errors;             ///< most frequent first
  std::uint32_t clients = 0;                  ///< as the task says; 0: not known
  std::optional<double> warmup_s;             ///< the warm-up time period that was asked for
  std::optional<double> rate_reached;         ///< of a planned rate, in [0, 1]; throttled tasks
  std::optional<double> of_calibrated;        ///< overall_throughput as a share of what the machine can drive
  std::optional<DriverResult> driver;         ///< what the load driver did; none in Rally's results
  std::optional<statistics::Interval> overall_interval;  ///< of overall_throughput, from blocks of the time
  std::optional<double> target_throughput;               ///< per second over all clients, in throughput.unit
  Distribution successful_service_time;                  ///< without failed requests; empty where none failed
  Distribution took;                                     ///< what the server says that requests took
};

struct Results {
  std::vector<TaskResult> tasks;  ///< in schedule order, all of them; reports choose by include_in_reporting
  Json cluster = Json::object();  ///< Rally's flat cluster-wide fields (total_time, merge_count, …)
};

/// Rally's `results` object; pacenote's own fields sit under "pacenote" in each op_metrics entry.
Json to_json(const Results& results);
/// Reads what to_json wrote, and Rally's own race.json results (without pacenote's fields).
Results results_from_json(const Json& json);

}  // namespace pacenote
