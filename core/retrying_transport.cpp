#include "core/retrying_transport.hpp"

#include <algorithm>

namespace pacenote {

bool RetryingTransport::again(const Response& response) const {
  switch (response.failure) {
    case Failure::none: {
      const auto& statuses = options_.retry_on_status;
      return std::find(statuses.begin(), statuses.end(), response.status) != statuses.end();
    }
    case Failure::connection:
    case Failure::protocol:
      return true;
    case Failure::timeout:
      return options_.retry_on_timeout;
    case Failure::tls:
    case Failure::interrupted:
      return false;
  }
  return false;
}

Async<Response> RetryingTransport::send(const Request& request) {
  Response response = co_await below_->send(request);
  for (std::uint32_t retry = 0; retry < options_.max_retries && again(response); ++retry) {
    Response next = co_await below_->send(request);
    next.sent = response.sent;
    next.attempts += response.attempts;
    next.bytes_out += response.bytes_out;
    next.bytes_in += response.bytes_in;
    response = next;
  }
  co_return response;
}

}  // namespace pacenote
