#include "core/measured.hpp"

namespace pacenote {
namespace {

bool plain(const RequestOptions& options) {
  return !options.timeout && options.headers.empty() && options.opaque_id.empty();
}

/// The request's own settings win over the call's.
RequestOptions merged(const RequestOptions& own, const RequestOptions& call) {
  RequestOptions out = own;
  if (!out.timeout) out.timeout = call.timeout;
  if (out.opaque_id.empty()) out.opaque_id = call.opaque_id;
  out.headers.insert(out.headers.end(), call.headers.begin(), call.headers.end());
  return out;
}

}  // namespace

void Measured::note(const Response& response) {
  if (requests_++ == 0) {
    sent = response.sent;
    first_byte = response.first_byte;
    reused = response.reused;
  }
  received = response.received;
  attempts += response.attempts;
  connecting += response.connecting;
  bytes_out += response.bytes_out;
  bytes_in += response.bytes_in;
  status = response.status;
  failure = response.failure;
}

Async<Response> Measured::send(const Request& request) {
  if (plain(options_)) {
    const Response response = co_await below_.send(request);
    note(response);
    co_return response;
  }
  Request with_options = request;
  with_options.options = merged(request.options, options_);
  const Response response = co_await below_.send(with_options);
  note(response);
  co_return response;
}

}  // namespace pacenote
