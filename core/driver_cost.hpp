// What the load driver itself did during a task, so that it is not mistaken for the cluster.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/units.hpp"

namespace pacenote {

/// How late something was, in 16 classes an octave (6 % wide) from 1 us to 1 h. Not thread safe.
class LatenessHistogram {
 public:
  void add(Duration late);
  void add(const LatenessHistogram& other);
  std::uint64_t count() const { return count_; }
  /// Upper bound of the class that holds the p-th percentile, p in [0, 100]; at most max(). Zero where
  /// count() is 0.
  Duration percentile(double p) const;
  Duration max() const { return max_; }

 private:
  static constexpr std::size_t kPerOctave = 16, kOctaves = 32;
  std::array<std::uint32_t, kPerOctave * kOctaves> classes_{};
  std::uint64_t count_ = 0;
  Duration max_{};
};

/// Of one task on one driver thread.
struct TaskCost {
  LatenessHistogram late;  ///< begin after due, as far as the client was free by then; throttled tasks
  Duration parameters{};   ///< waiting for the source: a body read and built, a parameter made
  Duration connecting{};   ///< opening connections, TLS included
  void add(const TaskCost& other);
};

/// Of one driver thread during one step.
struct ThreadCost {
  Duration wall{}, cpu{};
  Duration stalled{};  ///< timers of the thread fired that much too late: it was busy, or did not get the
                       ///< processor
};

/// The same in the words of a report. Shares are in [0, 1]: of the time of the busiest thread, of all
/// clients' time.
struct DriverResult {
  double cpu_share = 0, stalled_share = 0;
  double parameters_share = 0, connecting_share = 0;
  std::optional<double> late_p50_ms, late_p99_ms, late_max_ms;  ///< throttled tasks
};

}  // namespace pacenote
