// Watches whether a driver thread gets to its work in time.
#pragma once

#include "core/async.hpp"
#include "core/driver_cost.hpp"

namespace pacenote {

/// A timer on the thread's context that notes how late it fires, and the thread's processor time. On that
/// thread; outlives the context's last run.
class Heartbeat {
 public:
  explicit Heartbeat(boost::asio::io_context& context) : timer_(context) {}
  void start();
  /// What was seen since start().
  ThreadCost stop();

 private:
  void beat();
  Timer timer_;
  bool running_ = false;
  Instant begin_{}, due_{};
  Duration cpu_at_begin_{};
  ThreadCost cost_;
};

}  // namespace pacenote
