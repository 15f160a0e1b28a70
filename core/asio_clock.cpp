#include "core/asio_clock.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <vector>

namespace pacenote {

namespace asio = boost::asio;

namespace {

/// How long before its time a sleeper must be woken to be there in time: some tens of microseconds pass until
/// a processor that idles runs the thread again, on virtual machines above all. Follows the upper quartile of
/// what was seen.
class WakeUp {
 public:
  Duration early() const { return early_; }
  void took(Duration late) {
    early_ = std::clamp(early_ + (late > early_ ? 3 * kStep : -kStep), kLeast, kMost);
  }

 private:
  static constexpr Duration kStep = std::chrono::nanoseconds(250), kLeast = Duration::zero(),
                            kMost = std::chrono::microseconds(50);
  Duration early_ = kLeast;
};

}  // namespace

struct AsioClock::Impl {
  asio::io_context& context;
  std::vector<Timer*> sleeping;
  WakeUp wake_up;
};

AsioClock::AsioClock(asio::io_context& context) : impl_(new Impl{context, {}, {}}) {}
AsioClock::~AsioClock() = default;

Async<void> AsioClock::sleep_until(Instant when) {
  const Instant alarm = when - impl_->wake_up.early();
  Timer timer(impl_->context, alarm);
  std::vector<Timer*>& sleeping = impl_->sleeping;
  sleeping.push_back(&timer);
  const bool slept = now() < alarm;
  const auto [interrupted] = co_await timer.async_wait(kTuple);
  const auto it = std::find(sleeping.begin(), sleeping.end(), &timer);
  *it = sleeping.back();
  sleeping.pop_back();
  if (interrupted) co_return;
  if (slept) impl_->wake_up.took(now() - alarm);
  // The few microseconds that are left are not slept: others on this thread go on meanwhile.
  while (now() < when) co_await asio::post(impl_->context, asio::use_awaitable_t<Executor>());
}

void AsioClock::interrupt() {
  for (Timer* timer : impl_->sleeping) timer->cancel();
}

}  // namespace pacenote
