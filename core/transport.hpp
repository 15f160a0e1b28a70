// The door to a cluster: one client's way to send requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/async.hpp"
#include "core/file_slice.hpp"
#include "core/units.hpp"

namespace pacenote {

enum class Method : std::uint8_t { get, head, post, put, del };
std::string_view to_string(Method method);
std::optional<Method> method_from(std::string_view name);  ///< "GET", "get", …

/// What the body is; the transport names it as the product at the other end wants it (behaviour H.4, H.6).
enum class Media : std::uint8_t { none, json, ndjson };

using Headers = std::vector<std::pair<std::string, std::string>>;

/// Settings of one call (from the operation) that hold for each of its requests.
struct RequestOptions {
  std::optional<Duration> timeout;  ///< none: the client options' timeout
  Headers headers;
  std::string opaque_id;
  std::vector<int> ignore;  ///< statuses that are no error
};

struct Request {
  Request(Method m, std::string t, std::string_view b = {}, Media kind = Media::json)
      : method(m), target(std::move(t)), body(b), media(b.empty() ? Media::none : kind) {}
  Request(Method m, std::string t, const FileSlice& b, Media kind)
      : method(m), target(std::move(t)), slice(&b), media(kind) {}
  Method method;
  std::string target;                ///< path and query, already percent-encoded
  std::string_view body;             ///< must outlive the reply
  const FileSlice* slice = nullptr;  ///< instead of `body`, which is empty then; must outlive the reply
  Media media;
  RequestOptions options;
  /// Where it says of the beginning of a good answer's body that no more is wanted, the transport may receive
  /// and count the rest without keeping it: Response::body is then that beginning.
  bool (*enough)(std::string_view body) = nullptr;
};

/// Why no status came.
enum class Failure : std::uint8_t { none, timeout, connection, tls, protocol, interrupted };

/// `body` and `head` are views that are valid until the next send on the same transport.
struct Response {
  int status = 0;  ///< 0: no answer, see failure and error
  Failure failure = Failure::none;
  std::string error;                          ///< one line, no secrets; only where status is 0
  std::string_view body;                      ///< decompressed
  std::string_view head;                      ///< header lines as received, "Name: value\r\n" each
  Instant sent, first_byte, received;         ///< sent: of the first attempt; the others: of the last
  Duration connecting{};                      ///< spent on opening connections, over all attempts
  std::uint64_t bytes_out = 0, bytes_in = 0;  ///< over all attempts, head and body as on the wire
  std::uint32_t attempts = 1;
  bool reused = false;  ///< went out on a connection that was already open
  bool ok() const { return status >= 200 && status < 300; }
  /// Value of the first header of that name (any case), trimmed; empty if absent.
  std::string_view header(std::string_view name) const;
};

/// One client's connections to one cluster. Used by one coroutine at a time, on its driver thread.
class Transport {
 public:
  virtual ~Transport() = default;
  /// Never throws for what the cluster or the network does; UserError where a slice's file has changed or
  /// cannot be read. `request` must outlive the reply.
  virtual Async<Response> send(const Request& request) = 0;
};

/// Percent-encodes one path segment or query value (RFC 3986 unreserved, and `,` `*` as Elasticsearch clients
/// do).
std::string url_encode(std::string_view text);

}  // namespace pacenote
