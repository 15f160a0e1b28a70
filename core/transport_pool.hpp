// The real transports of one driver thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "core/cluster.hpp"
#include "core/transport.hpp"

namespace pacenote {

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
  std::shared_ptr<Impl> impl_;  // the sweep's timer looks whether it is still there
};

}  // namespace pacenote
