#include "core/heartbeat.hpp"

#include <algorithm>
#include <ctime>

namespace pacenote {
namespace {

constexpr Duration kEvery = std::chrono::milliseconds(20);
constexpr Duration kUsual =
    std::chrono::milliseconds(2);  // what a timer may be late on a machine in good order

Duration thread_cpu() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace

void Heartbeat::start() {
  cost_ = {};
  begin_ = std::chrono::steady_clock::now();
  cpu_at_begin_ = thread_cpu();
  running_ = true;
  due_ = begin_;
  beat();
}

void Heartbeat::beat() {
  due_ += kEvery;
  timer_.expires_at(due_);
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (error || !running_) return;
    const Instant now = std::chrono::steady_clock::now();
    if (now - due_ > kUsual) {
      cost_.stalled += now - due_;
      due_ = now;  // what was missed is one stall, not many
    }
    beat();
  });
}

ThreadCost Heartbeat::stop() {
  const Instant now = std::chrono::steady_clock::now();
  if (now - due_ > kUsual) cost_.stalled += now - due_;  // a stall that has not ended
  running_ = false;
  timer_.cancel();
  cost_.wall = now - begin_;
  cost_.cpu = thread_cpu() - cpu_at_begin_;
  return cost_;
}

}  // namespace pacenote
