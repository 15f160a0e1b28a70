// pacenote's own small Elasticsearch-like node: first races, tests, calibration, injected faults.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pacenote::sandbox {

enum class Flavor : std::uint8_t { opensearch_2, elasticsearch_7, elasticsearch_8 };

struct Options {
  Flavor as = Flavor::elasticsearch_8;
  std::uint16_t port = 0;        ///< on 127.0.0.1; 0: any free one
  bool tls = false;              ///< with a certificate made at start for localhost and 127.0.0.1
  std::string certificate_file;  ///< if not empty, the certificate is written there as PEM, for ca_certs
  std::string user, password;    ///< basic auth, if user is not empty
  bool null = false;             ///< answers at once without looking at the body
  bool full_items = false;       ///< with null: bulk answers list an item per document of `null_bulk_items`
  std::uint32_t null_bulk_items = 5000;
  std::uint32_t data_nodes = 2;
  std::uint32_t threads = 1;
  std::vector<std::string> faults;  ///< see parse_fault
};

/// Runs on threads of its own from construction to destruction. UserError where the port is taken or a fault
/// does not parse.
class Server {
 public:
  explicit Server(const Options& options);
  ~Server();
  std::uint16_t port() const;
  std::string url() const;  ///< "http://127.0.0.1:PORT"

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pacenote::sandbox
