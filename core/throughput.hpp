// Rally's throughput: a running average since the task's start, one value a second (rally driver.py:1655,
// behaviour D.2). Kept bug for bug where the reported figure depends on it, except that samples which wait
// for the next call are not counted twice.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/names.hpp"
#include "core/sample.hpp"

namespace pacenote {

/// One request as the calculator sees it; seconds. absolute_time is the request's begin on any clock.
struct ThroughputSample {
  double absolute_time = 0, relative_time = 0;
  double time_period = 0;  ///< from the task's start to this request's end
  SampleType type = SampleType::normal;
  double amount = 0;
  NameId unit{};
  std::optional<double> throughput;  ///< the runner's own figure
};

/// `start`: of the task.
ThroughputSample throughput_sample(const Sample& sample, Instant start);

struct ThroughputPoint {
  double absolute_time = 0, relative_time = 0;
  SampleType type = SampleType::normal;
  double value = 0;  ///< per second
  NameId unit{};
};

/// State of one task. Samples come in one call, or in several as they arrive.
class ThroughputCalculator {
 public:
  /// The samples of one call in any order; equal times keep their order.
  std::vector<ThroughputPoint> calculate(std::span<const ThroughputSample> samples);

  /// The same for samples that are ascending by absolute_time already, one by one: add each, then end. True
  /// where the sample completed a value. Nothing is kept for another call.
  bool add(const ThroughputSample& sample);
  std::vector<ThroughputPoint> end_call();

 private:
  void start(const ThroughputSample& first);
  void finish_bucket(const ThroughputSample& last);

  // over all calls
  std::vector<ThroughputSample> unprocessed_;
  std::optional<double> start_time_;
  SampleType sample_type_ = SampleType::warmup;
  bool has_samples_ = false;  // of the current sample type
  double total_count_ = 0, interval_ = 0, bucket_ = 1;
  // of the current call
  std::optional<ThroughputSample> last_;
  bool own_figures_ = false;
  double count_ = 0;
  std::vector<ThroughputPoint> points_;
};

}  // namespace pacenote
