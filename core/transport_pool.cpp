#include "core/transport_pool.hpp"

#include <algorithm>

#include "core/beast_transport.hpp"
#include "core/retrying_transport.hpp"

namespace pacenote {

namespace asio = boost::asio;

namespace {

constexpr Duration kSweep = std::chrono::milliseconds(50);

}  // namespace

TransportPool::Impl::Impl(asio::io_context& c, const Cluster& cl)
    : context(c), cluster(cl), heads(cluster), timer(c) {
  const auto wants_tls = [](const Host& host) { return host.tls; };
  if (std::any_of(cluster.hosts.begin(), cluster.hosts.end(), wants_tls))
    tls.emplace(client_tls(cluster.options));  // reading the system's certificates takes 30 ms
}

void TransportPool::Impl::watch() {
  if (timer_runs) return;
  timer_runs = true;
  timer.expires_after(kSweep);
  // A wait that ended well may stand in the context's queue when the pool goes: cancelling comes too late
  // then.
  timer.async_wait([weak = weak_from_this()](const NetError&) {
    const auto self = weak.lock();
    if (!self) return;
    self->timer_runs = false;
    self->sweep(std::chrono::steady_clock::now());
    if (self->active != 0) self->watch();
  });
}

void TransportPool::Impl::sweep(Instant now) {
  for (BeastTransport* transport : transports)
    if (transport->deadline() <= now) transport->cut(Failure::timeout);
}

TransportPool::TransportPool(asio::io_context& context, const Cluster& cluster)
    : impl_(std::make_shared<Impl>(context, cluster)) {}
TransportPool::~TransportPool() = default;

std::unique_ptr<Transport> TransportPool::make(std::uint32_t first_host) {
  auto transport = std::make_unique<BeastTransport>(*impl_, first_host);
  if (impl_->cluster.options.max_retries == 0) return transport;
  return std::make_unique<RetryingTransport>(std::move(transport), impl_->cluster.options);
}

void TransportPool::interrupt() {
  impl_->interrupted = true;
  for (BeastTransport* transport : impl_->transports) transport->cut(Failure::interrupted);
}

}  // namespace pacenote
