#include <algorithm>
#include <vector>

#include "core/beast_transport.hpp"

namespace pacenote {

namespace asio = boost::asio;

struct AsioClock::Impl {
  asio::io_context& context;
  std::vector<Timer*> sleeping;
};

AsioClock::AsioClock(asio::io_context& context) : impl_(new Impl{context, {}}) {}
AsioClock::~AsioClock() = default;

Async<void> AsioClock::sleep_until(Instant when) {
  Timer timer(impl_->context, when);
  std::vector<Timer*>& sleeping = impl_->sleeping;
  sleeping.push_back(&timer);
  co_await timer.async_wait(kTuple);
  const auto it = std::find(sleeping.begin(), sleeping.end(), &timer);
  *it = sleeping.back();
  sleeping.pop_back();
}

void AsioClock::interrupt() {
  for (Timer* timer : impl_->sleeping) timer->cancel();
}

}  // namespace pacenote
