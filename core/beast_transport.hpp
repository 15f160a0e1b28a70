// One client's HTTP/1.1 connections to the hosts of a cluster, kept alive, and what the clients of one driver
// thread share.
#pragma once

#include <boost/asio/ssl.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/async.hpp"
#include "core/cluster.hpp"
#include "core/connection.hpp"
#include "core/request_head.hpp"
#include "core/rotation.hpp"
#include "core/transport.hpp"
#include "core/transport_pool.hpp"

namespace pacenote {

class BeastTransport;

struct TransportPool::Impl : std::enable_shared_from_this<Impl> {
  Impl(boost::asio::io_context& context, const Cluster& cluster);

  void watch();  ///< sees to deadlines from now on, while a request is under way
  void sweep(Instant now);

  boost::asio::io_context& context;
  const Cluster cluster;
  std::optional<boost::asio::ssl::context> tls;
  RequestHeads heads;
  Timer timer;
  std::vector<BeastTransport*> transports;
  std::size_t active = 0;
  bool timer_runs = false;
  bool interrupted = false;
};

class BeastTransport final : public Transport {
 public:
  BeastTransport(TransportPool::Impl& pool, std::uint32_t first_host)
      : pool_(pool),
        rotation_(pool.cluster.hosts.size(), first_host),
        idle_(pool.cluster.hosts.size()),
        resolver_(pool.context) {
    pool_.transports.push_back(this);
  }
  ~BeastTransport() override { std::erase(pool_.transports, this); }

  Async<Response> send(const Request& request) override;

  /// Ends the request under way, which then fails with `why`.
  void cut(Failure why);
  Instant deadline() const { return deadline_; }

 private:
  struct Progress {
    bool reused = false;
    bool byte_came = false;
  };

  Async<void> attempt(std::size_t host, const Request& request, Response& response, Progress& progress);
  Async<bool> open(std::size_t host, Response& response);
  Async<void> receive(const Request& request, Response& response, Progress& progress, NetError write_error);
  void finish(Answer& answer, Response& response);
  void fail(Response& response, Failure failure, std::string text);

  TransportPool::Impl& pool_;
  HostRotation rotation_;
  std::vector<std::unique_ptr<Connection>> idle_;  // by host
  TcpResolver resolver_;
  std::unique_ptr<Connection> connection_;  // the one in use; its buffer holds the last answer
  Instant deadline_ = Instant::max();
  Failure cut_ = Failure::none;
  std::string_view body_;  // of the request under way, unless it is sent out of its file
  bool changed_ = false;   // the file of its slice is not what it was
  std::string head_, unsent_, packed_, inflated_;
};

}  // namespace pacenote
