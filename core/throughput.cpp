#include "core/throughput.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pacenote {

ThroughputSample throughput_sample(const Sample& sample, Instant start) {
  ThroughputSample one;
  one.absolute_time = seconds(sample.begin - start);
  one.relative_time = seconds(sample.sent - start);
  one.time_period = seconds(sample.received - start);
  one.type = sample.type;
  one.amount = sample.weight;
  one.unit = sample.unit;
  if (sample.throughput >= 0) one.throughput = sample.throughput;
  return one;
}

std::vector<ThroughputPoint> ThroughputCalculator::calculate(std::span<const ThroughputSample> samples) {
  std::vector<ThroughputSample> current(samples.begin(), samples.end());
  const std::vector<ThroughputSample> kept = std::exchange(unprocessed_, {});
  current.insert(current.end(), kept.begin(), kept.end());
  std::stable_sort(current.begin(), current.end(), [](const auto& left, const auto& right) {
    return left.absolute_time < right.absolute_time;
  });
  for (const ThroughputSample& sample : current) {
    if (add(sample))
      unprocessed_.clear();
    else if (!own_figures_)
      unprocessed_.push_back(sample);
  }
  return end_call();
}

void ThroughputCalculator::start(const ThroughputSample& first) {
  own_figures_ = first.throughput.has_value();
  count_ = total_count_;
  if (own_figures_ || start_time_) return;
  start_time_ = first.absolute_time - first.time_period;
  sample_type_ = first.type;
}

bool ThroughputCalculator::add(const ThroughputSample& sample) {
  if (!last_) start(sample);
  if (!last_ || !has_samples_) last_ = sample;
  if (own_figures_) {
    if (sample.throughput)
      points_.push_back(
          {sample.absolute_time, sample.relative_time, sample.type, *sample.throughput, sample.unit});
    return false;
  }
  if (sample.type > sample_type_) {
    sample_type_ = sample.type;
    has_samples_ = false;
    last_ = sample;
  }
  count_ += sample.amount;
  interval_ = std::max(sample.absolute_time - *start_time_, interval_);
  if (interval_ <= 0 || interval_ < bucket_) return false;
  finish_bucket(sample);
  return true;
}

void ThroughputCalculator::finish_bucket(const ThroughputSample& last) {
  total_count_ = count_;
  has_samples_ = true;
  bucket_ = std::floor(interval_) + 1;
  points_.push_back(
      {last.absolute_time, last.relative_time, sample_type_, total_count_ / interval_, last.unit});
}

std::vector<ThroughputPoint> ThroughputCalculator::end_call() {
  if (last_ && !own_figures_ && interval_ > 0 && !has_samples_) {
    finish_bucket(*last_);
    unprocessed_.clear();
  }
  last_.reset();
  return std::exchange(points_, {});
}

}  // namespace pacenote
