// The way from a signal to the work under way.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

namespace pacenote::cli {

/// Where a signal goes: to whatever is under way. Any thread.
class Interruption {
 public:
  /// What stops the work that begins now; called at once if a signal came already.
  void now(std::function<void()> stop) {
    const std::lock_guard lock(mutex_);
    stop_ = std::move(stop);
    if (interrupted_ && stop_) stop_();
  }
  void signal() {
    const std::lock_guard lock(mutex_);
    interrupted_ = true;
    if (stop_) stop_();
  }
  const std::atomic<bool>& interrupted() const { return interrupted_; }

 private:
  std::mutex mutex_;
  std::function<void()> stop_;
  std::atomic<bool> interrupted_ = false;
};

}  // namespace pacenote::cli
