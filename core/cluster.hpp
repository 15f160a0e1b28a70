// What a target is, and how to talk to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/async.hpp"
#include "core/clock.hpp"
#include "core/notes.hpp"
#include "core/transport.hpp"
#include "core/units.hpp"

namespace pacenote {

struct Host {
  std::string name;  ///< host name or address, IPv6 without brackets
  std::uint16_t port = 9200;
  bool tls = false;
  std::string path_prefix;  ///< "" or "/x", put before every request target
  std::string url() const;  ///< "https://name:port/x", no credentials
};

/// --client-options of one cluster (behaviour H.2). Holds secrets: never log or store it whole.
struct ClientOptions {
  Duration timeout = std::chrono::seconds(60);
  bool verify_certs = true;
  std::string ca_certs, client_cert, client_key;  ///< file paths
  std::string basic_auth_user, basic_auth_password, api_key;
  std::uint32_t max_retries = 0;  ///< Rally's client hides 3; here none unless asked for
  std::vector<int> retry_on_status = {429, 502, 503, 504};
  bool retry_on_timeout = false;
  bool http_compress = false;
  Headers headers;
  std::string opaque_id;
};

enum class Product : std::uint8_t { unknown, elasticsearch, opensearch };

struct Cluster {
  std::vector<Host> hosts;  ///< at least one
  ClientOptions options;
  Product product = Product::unknown;
  int major = 0;  ///< of the version; 0: unknown
};

/// "application/json", or Elasticsearch's vendor type with its major where the cluster is Elasticsearch 8 or
/// later (behaviour H.4, H.6). Empty for Media::none.
std::string media_type(Media media, const Cluster& cluster);

/// What the cluster says of itself.
struct ClusterInfo {
  std::string name, uuid, version, flavor, revision;
  Product product = Product::unknown;
  int major = 0;
  bool sandbox = false;  ///< pacenote's own node: its times say nothing about Elasticsearch
  std::string platform = "on-prem";
};

/// Asks `GET /` and waits (as Rally, at most `patience`) until the cluster answers. UserError: unreachable,
/// name unknown, TLS on a plain port and the other way round, 401, not HTTP, not a search engine.
/// `notes` is told what is waited for, after a second and then every five.
Async<ClusterInfo> probe(Transport& transport, Clock& clock, const Cluster& cluster, Duration patience,
                         Notes& notes);

/// Whether this user operates a serverless cluster; false where the cluster does not say.
Async<bool> speaks_as_operator(Transport& transport);

}  // namespace pacenote
