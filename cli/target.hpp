// --target-hosts and --client-options -> the cluster to race against (behaviour H.1, H.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cluster.hpp"
#include "core/json.hpp"

namespace pacenote::cli {

/// One host as written; nothing is filled in but https' port.
struct GivenHost {
  std::string name;  ///< lower case, IPv6 without brackets
  std::optional<std::uint16_t> port;
  bool tls = false;
  std::string path_prefix;     ///< as written, "/p/"
  std::string user, password;  ///< percent-decoded userinfo; both or none
};

/// Hosts by cluster name, in the order written.
using NamedHosts = std::vector<std::pair<std::string, std::vector<GivenHost>>>;

/// A comma list (cluster "default"), JSON or a .json file. UserError names the host, without its userinfo.
NamedHosts parse_target_hosts(std::string_view text);

/// Options by cluster name: the comma form gives "default" on top of timeout 60; JSON stays as written. An
/// object whose keys are options, not clusters, means "default".
Json parse_client_options(std::string_view text);

/// The cluster that the two flags describe; empty hosts mean 127.0.0.1:9200. UserError (no secrets in it) for
/// what cannot be, for unknown keys and for keys that pacenote does not support, by name with the reason.
Cluster make_target(std::string_view target_hosts, std::string_view client_options);

}  // namespace pacenote::cli
