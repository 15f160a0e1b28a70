// What one call did on the wire, whatever number of requests it took.
#pragma once

#include "core/transport.hpp"

namespace pacenote {

/// Wraps a client's transport for one call: gives each request the call's options and notes the first sent,
/// the first byte, the last received, attempts and bytes (behaviour C.5). Lives as long as the call.
class Measured final : public Transport {
 public:
  Measured(Transport& below, const RequestOptions& options) : below_(below), options_(options) {}
  Async<Response> send(const Request& request) override;

  bool used() const { return requests_ != 0; }
  Instant sent{}, first_byte{}, received{};
  Duration connecting{};
  std::uint32_t attempts = 0;
  std::uint64_t bytes_out = 0, bytes_in = 0;
  int status = 0;
  bool reused = false;
  Failure failure = Failure::none;  ///< of the last request

 private:
  void note(const Response& response);
  Transport& below_;
  const RequestOptions& options_;
  std::uint32_t requests_ = 0;
};

}  // namespace pacenote
