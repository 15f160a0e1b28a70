// The client options' max_retries and retry_on_status (behaviour H.3), every attempt counted.
#pragma once

#include <memory>

#include "core/cluster.hpp"
#include "core/transport.hpp"

namespace pacenote {

/// Sends again at once, up to options.max_retries times: on a status of retry_on_status, on a failed
/// connection and, with retry_on_timeout, on a time-out. `options` outlives it.
class RetryingTransport final : public Transport {
 public:
  RetryingTransport(std::unique_ptr<Transport> below, const ClientOptions& options)
      : below_(std::move(below)), options_(options) {}
  Async<Response> send(const Request& request) override;

 private:
  bool again(const Response& response) const;
  std::unique_ptr<Transport> below_;
  const ClientOptions& options_;
};

}  // namespace pacenote
