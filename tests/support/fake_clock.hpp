// Time that passes only when somebody sleeps or advance() is called.
#pragma once

#include <algorithm>
#include <vector>

#include "core/clock.hpp"

namespace pacenote::test {

class FakeClock final : public Clock {
 public:
  Instant now() const override { return now_; }
  Async<void> sleep_until(Instant when) override {
    sleeps_.push_back(when - now_);
    now_ = std::max(now_, when);
    co_return;
  }
  void advance(Duration by) { now_ += by; }
  const std::vector<Duration>& sleeps() const { return sleeps_; }

 private:
  Instant now_ = Instant(std::chrono::hours(1));
  std::vector<Duration> sleeps_;
};

}  // namespace pacenote::test
