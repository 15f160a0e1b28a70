// When a client's task ends, and which of its requests are warm-up (rally driver.py:2478, behaviour C.3).
// Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "core/sample.hpp"
#include "core/track.hpp"
#include "core/units.hpp"

namespace pacenote {

class Pace {
 public:
  /// `finite`: the source or the runner ends by itself, so that a task without limits runs until then.
  Pace(const Limits& limits, Instant start, bool finite);
  /// Whether another request may begin, by the clock as it stood after the last one.
  bool goes_on(Instant now) const;
  SampleType type(Instant now) const;
  void request_done() { ++iteration_; }
  /// [0, 1] of the limits; none where only the source or runner knows.
  std::optional<double> progress(Instant now) const;

 private:
  bool by_time_;
  Instant start_;
  Duration warmup_{};
  std::optional<Duration> period_;
  std::uint64_t warmup_iterations_ = 0;
  std::optional<std::uint64_t> total_iterations_;
  std::uint64_t iteration_ = 0;
};

}  // namespace pacenote
