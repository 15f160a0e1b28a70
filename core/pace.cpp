#include "core/pace.hpp"

#include <algorithm>

namespace pacenote {

Pace::Pace(const Limits& limits, Instant start, bool finite)
    : by_time_(limits.warmup || limits.period), start_(start) {
  if (by_time_) {
    warmup_ = limits.warmup.value_or(Duration::zero());
    period_ = limits.period;
    return;
  }
  warmup_iterations_ = limits.warmup_iterations.value_or(0);
  if (limits.iterations)
    total_iterations_ = warmup_iterations_ + *limits.iterations;
  else if (!finite)
    total_iterations_ = warmup_iterations_ + 1;
}

bool Pace::goes_on(Instant now) const {
  if (by_time_) return !period_ || now < start_ + warmup_ + *period_;
  return !total_iterations_ || iteration_ < *total_iterations_;
}

SampleType Pace::type(Instant now) const {
  const bool warmup = by_time_ ? now - start_ < warmup_ : iteration_ < warmup_iterations_;
  return warmup ? SampleType::warmup : SampleType::normal;
}

std::optional<double> Pace::progress(Instant now) const {
  if (by_time_) {
    if (!period_) return std::nullopt;
    const double whole = seconds(warmup_ + *period_);
    return whole > 0 ? std::clamp(seconds(now - start_) / whole, 0.0, 1.0) : 1.0;
  }
  if (!total_iterations_ || *total_iterations_ == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(iteration_) / static_cast<double>(*total_iterations_));
}

}  // namespace pacenote
