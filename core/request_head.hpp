// The head of an HTTP request, of which all but two lines are made once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/cluster.hpp"
#include "core/transport.hpp"

namespace pacenote {

/// Heads for one cluster (behaviour H.4). A header that a request's options name replaces ours of that name.
class RequestHeads {
 public:
  explicit RequestHeads(const Cluster& cluster);
  /// Replaces `out`. `body_bytes`: as sent; `packed`: the body is gzip.
  void write(std::size_t host, const Request& request, std::size_t body_bytes, bool packed,
             std::string& out) const;

 private:
  struct PerHost {
    std::string prefix, host;  ///< path prefix; "Host: …\r\n"
  };
  std::vector<PerHost> hosts_;
  std::string accept_, json_, ndjson_;  ///< whole header lines
  std::string fixed_;  ///< user-agent, connection, authorization, the client options' headers
  std::string opaque_id_;
};

/// "Basic …": the value of an Authorization header (RFC 7617).
std::string basic_credentials(std::string_view user, std::string_view password);

}  // namespace pacenote
