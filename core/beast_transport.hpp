// The real Transport: HTTP/1.1 over keep-alive connections. The only file outside the sandbox that includes
// Beast.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "core/clock.hpp"
#include "core/cluster.hpp"
#include "core/transport.hpp"

namespace pacenote {

/// Time on one io_context. All on that context's thread, interrupt() too.
class AsioClock final : public Clock {
 public:
  explicit AsioClock(boost::asio::io_context& context);
  ~AsioClock() override;
  Instant now() const override { return std::chrono::steady_clock::now(); }
  Async<void> sleep_until(Instant when) override;
  void interrupt();  ///< all who sleep now return early

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What the transports of one driver thread share: TLS context, request heads, the deadline sweep.
class TransportPool {
 public:
  /// UserError where a certificate file cannot be read. `cluster` is copied.
  TransportPool(boost::asio::io_context& context, const Cluster& cluster);
  ~TransportPool();
  /// One client's transport; it begins with host `first_host` modulo their number. The pool outlives it.
  std::unique_ptr<Transport> make(std::uint32_t first_host = 0);
  /// Every request under way ends with Failure::interrupted, and so does each later one. On the context's
  /// thread.
  void interrupt();

  struct Impl;  ///< in the .cpp

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace pacenote
