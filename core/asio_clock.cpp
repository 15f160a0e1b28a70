#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <vector>

#include "core/beast_transport.hpp"

namespace pacenote {

namespace asio = boost::asio;

struct AsioClock::Impl {
  asio::io_context& context;
  std::vector<asio::steady_timer*> sleeping;
};

AsioClock::AsioClock(asio::io_context& context) : impl_(new Impl{context, {}}) {}
AsioClock::~AsioClock() = default;

Async<void> AsioClock::sleep_until(Instant when) {
  asio::steady_timer timer(impl_->context, when);
  std::vector<asio::steady_timer*>& sleeping = impl_->sleeping;
  sleeping.push_back(&timer);
  co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
  const auto it = std::find(sleeping.begin(), sleeping.end(), &timer);
  *it = sleeping.back();
  sleeping.pop_back();
}

void AsioClock::interrupt() {
  for (asio::steady_timer* timer : impl_->sleeping) timer->cancel();
}

}  // namespace pacenote
