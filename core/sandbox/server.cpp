#include "core/sandbox/server.hpp"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <fstream>
#include <thread>

#include "core/error.hpp"
#include "core/sandbox/certificate.hpp"
#include "core/sandbox/connection.hpp"

namespace pacenote::sandbox {
namespace {

using asio::ip::tcp;

Async<void> serve_plain(TcpSocket socket, Front& front) {
  Connection<TcpSocket> connection(std::move(socket), front);
  co_await connection.serve();
}

Async<void> serve_tls(TcpSocket socket, asio::ssl::context& tls, Front& front) {
  asio::ssl::stream<TcpSocket> stream(std::move(socket), tls);
  Connection<asio::ssl::stream<TcpSocket>> connection(std::move(stream), front);
  co_await connection.serve();
}

TcpAcceptor listen(asio::io_context& context, std::uint16_t port) {
  TcpAcceptor acceptor(context);
  const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
  boost::system::error_code error;
  acceptor.open(endpoint.protocol());
  acceptor.set_option(asio::socket_base::reuse_address(true));
  acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    throw UserError(fmt::format("the sandbox cannot listen on 127.0.0.1:{}: {}", port, error.message()),
                    "choose another port");
  return acceptor;
}

void write_certificate(const std::string& path, const std::string& pem) {
  std::ofstream out(path, std::ios::binary);
  out << pem;
  out.close();
  if (!out)
    throw UserError(fmt::format("cannot write the certificate to [{}]", path),
                    "name a file in a folder that exists");
}

WallTime wall_now() {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace

// The contexts are destroyed first, with them the coroutines, which use everything above them.
struct Server::Impl {
  explicit Impl(const Options& options)
      : front(
            options, [] { return std::chrono::steady_clock::now(); }, wall_now()),
        secure(options.tls) {
    if (secure) use_certificate(options.certificate_file);
    for (std::uint32_t i = 0; i < std::max(options.threads, 1U); ++i)
      contexts.push_back(std::make_unique<asio::io_context>(1));
    acceptor.emplace(listen(*contexts.front(), options.port));
    port = acceptor->local_endpoint().port();
    front.node().listens_on(port);
    asio::co_spawn(*contexts.front(), accept(), asio::detached);
    for (const auto& context : contexts)
      threads.emplace_back([one = context.get()] {
        const auto work = asio::make_work_guard(*one);
        one->run();
      });
  }

  ~Impl() {
    for (const auto& context : contexts) context->stop();
    for (std::thread& thread : threads) thread.join();
  }

  void use_certificate(const std::string& file) {
    const Certificate made = make_certificate();
    if (!file.empty()) write_certificate(file, made.certificate);
    tls.use_certificate_chain(asio::buffer(made.certificate));
    tls.use_private_key(asio::buffer(made.key), asio::ssl::context::pem);
  }

  Async<void> accept() {
    for (std::size_t next = 0;; ++next) {
      asio::io_context& context = *contexts[next % contexts.size()];
      auto [error, socket] = co_await acceptor->async_accept(context, kTuple);
      if (error == asio::error::operation_aborted) co_return;
      if (error) continue;
      if (secure)
        asio::co_spawn(context, serve_tls(std::move(socket), tls, front), asio::detached);
      else
        asio::co_spawn(context, serve_plain(std::move(socket), front), asio::detached);
    }
  }

  Front front;
  bool secure;
  std::uint16_t port = 0;
  asio::ssl::context tls{asio::ssl::context::tls_server};
  std::vector<std::unique_ptr<asio::io_context>> contexts;
  std::optional<TcpAcceptor> acceptor;
  std::vector<std::thread> threads;
};

Server::Server(const Options& options) : impl_(std::make_unique<Impl>(options)) {}

Server::~Server() = default;

std::uint16_t Server::port() const { return impl_->port; }

std::string Server::url() const {
  return fmt::format("{}://127.0.0.1:{}", impl_->secure ? "https" : "http", impl_->port);
}

}  // namespace pacenote::sandbox
