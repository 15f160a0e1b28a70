// Why a step ends before its tasks do.
#pragma once

#include <atomic>
#include <cstdint>

namespace pacenote {

enum class StopReason : std::uint8_t {
  none,
  completed,  ///< a task that completes its parallel has ended: others finish their current request
  user,       ///< Ctrl-C or SIGTERM
  error,      ///< --on-error=abort, or a mistake in the track found while running
};

/// One per step. The first reason stays. Any thread, and async-signal-safe.
class Stop {
 public:
  bool request(StopReason reason) {
    StopReason expected = StopReason::none;
    return reason_.compare_exchange_strong(expected, reason);
  }
  StopReason reason() const { return reason_.load(std::memory_order_acquire); }
  bool requested() const { return reason() != StopReason::none; }

 private:
  std::atomic<StopReason> reason_{StopReason::none};
};

}  // namespace pacenote
