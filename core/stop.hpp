// Why a step ends before its tasks do.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

namespace pacenote {

enum class StopReason : std::uint8_t {
  none,
  completed,  ///< a task that completes its parallel has ended: others finish their current request
  user,       ///< Ctrl-C or SIGTERM
  error,      ///< --on-error=abort, or a mistake in the track found while running
};

/// One per step. The first reason stays. Any thread; `request` and `reason` are async-signal-safe as well.
class Stop {
 public:
  bool request(StopReason reason) {
    StopReason expected = StopReason::none;
    return reason_.compare_exchange_strong(expected, reason);
  }
  StopReason reason() const { return reason_.load(std::memory_order_acquire); }
  bool requested() const { return reason() != StopReason::none; }

  /// StopReason::error, with the words for it; the first ones stay, whatever stopped the step.
  void fail(std::string why) {
    {
      const std::lock_guard lock(mutex_);
      if (why_.empty()) why_ = std::move(why);
    }
    request(StopReason::error);
  }
  std::string why() const {
    const std::lock_guard lock(mutex_);
    return why_;
  }

 private:
  mutable std::mutex mutex_;
  std::string why_;
  std::atomic<StopReason> reason_{StopReason::none};
};

}  // namespace pacenote
