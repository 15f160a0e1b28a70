#include "core/connection.hpp"

#include <fmt/format.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

#include <algorithm>
#include <tuple>

#include "core/error.hpp"

namespace pacenote {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;

namespace {

template <class Stream>
Async<NetError> write_all(Stream& stream, std::string_view head, std::string_view body) {
  // async_write would split at 64 kB: twelve system calls a bulk instead of one.
  std::array<asio::const_buffer, 2> parts{asio::const_buffer(head.data(), head.size()),
                                          asio::const_buffer(body.data(), body.size())};
  while (parts[0].size() + parts[1].size() != 0) {
    const auto [error, written] = co_await stream.async_write_some(parts, kTuple);
    if (error) co_return error;
    const std::size_t of_head = std::min(written, parts[0].size());
    parts[0] += of_head;
    parts[1] += written - of_head;
  }
  co_return NetError();
}

}  // namespace

ssl::context client_tls(const ClientOptions& options) {
  ssl::context context(ssl::context::tls_client);
  NetError error;
  if (!options.verify_certs) {
    context.set_verify_mode(ssl::verify_none);
  } else {
    context.set_verify_mode(ssl::verify_peer);
    if (options.ca_certs.empty())
      context.set_default_verify_paths(error);
    else
      context.load_verify_file(options.ca_certs, error);
    if (error)
      throw UserError(fmt::format("cannot read ca_certs {}: {}", options.ca_certs, error.message()),
                      "give a PEM file of certificates");
  }
  if (options.client_cert.empty()) return context;
  context.use_certificate_chain_file(options.client_cert, error);
  if (!error) context.use_private_key_file(options.client_key, ssl::context::pem, error);
  if (error)
    throw UserError(fmt::format("cannot use client_cert {}: {}", options.client_cert, error.message()),
                    "client_cert and client_key are PEM files and belong together");
  return context;
}

Async<NetError> Connection::handshake(ssl::context& context, const std::string& host) {
  auto& stream = tls.emplace(socket, context);
  NetError error;
  if ((SSL_get_verify_mode(stream.native_handle()) & SSL_VERIFY_PEER) != 0)
    stream.set_verify_callback(ssl::host_name_verification(host), error);
  asio::ip::make_address(host, error);
  if (error)  // names only (RFC 6066); SSL_set_tlsext_host_name without its old-style cast
    SSL_ctrl(stream.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
             const_cast<char*>(host.c_str()));
  std::tie(error) = co_await stream.async_handshake(ssl::stream_base::client, kTuple);
  co_return error;
}

Async<NetError> Connection::write(std::string_view head, std::string_view body) {
  if (tls) co_return co_await write_all(*tls, head, body);
  co_return co_await write_all(socket, head, body);
}

Async<NetError> Connection::write(std::string_view head, const FileSlice& body, bool& changed) {
  if (!tls && body.prefix.empty()) co_return co_await write_unread(head, body, changed);
  co_return co_await write_pieces(head, body, changed);
}

Async<NetError> Connection::write_pieces(std::string_view head, const FileSlice& body, bool& changed) {
  SliceReader reader(body);
  for (std::uint64_t left = body.text_size(); left > 0; left -= piece_.size()) {
    changed = !reader.next(piece_);
    if (changed) co_return asio::error::eof;
    std::string_view rest = piece_;
    write_now(head, rest);
    if (head.empty() && rest.empty()) continue;
    const NetError error = co_await write(head, rest);
    if (error) co_return error;
    head = {};
  }
  co_return NetError();
}

Async<NetError> Connection::write_unread(std::string_view head, const FileSlice& body, bool& changed) {
  NetError error;
  socket.native_non_blocking(true, error);
  const int to = socket.native_handle();
  auto at = static_cast<off_t>(body.offset);
  std::uint64_t left = body.size;
  while (!error && (!head.empty() || left > 0)) {
    const bool in_head = !head.empty();
    const ssize_t sent = in_head ? ::send(to, head.data(), head.size(), MSG_MORE | MSG_NOSIGNAL)
                                 : ::sendfile(to, body.file->descriptor(), &at, left);
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      std::tie(error) = co_await socket.async_wait(asio::socket_base::wait_write, kTuple);
    } else if (sent < 0) {
      if (errno != EINTR) error.assign(errno, boost::system::system_category());
    } else if (in_head) {
      head.remove_prefix(static_cast<std::size_t>(sent));
    } else {
      changed = sent == 0;
      if (changed) co_return asio::error::eof;
      left -= static_cast<std::uint64_t>(sent);
    }
  }
  co_return error;
}

Async<NetError> Connection::read_some() {
  constexpr std::size_t kFirst = 4096;
  if (buffer.room_size() == 0) buffer.reserve(std::max(kFirst, buffer.capacity() * 2));
  const asio::mutable_buffer room(buffer.room(), buffer.room_size());
  NetError error;
  std::size_t count = 0;
  if (tls) {
    std::tie(error, count) = co_await tls->async_read_some(room, kTuple);
  } else {
    std::tie(error, count) = co_await socket.async_read_some(room, kTuple);
  }
  buffer.commit(count);
  co_return count != 0 ? NetError() : error;
}

Async<NetError> Connection::skip_some(std::size_t most, std::size_t& skipped) {
  for (;;) {
    // On TCP sockets Linux throws the bytes away (tcp(7), MSG_TRUNC).
    const auto count = ::recv(socket.native_handle(), nullptr, most, MSG_TRUNC | MSG_DONTWAIT);
    skipped = static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    if (count > 0) co_return NetError();
    if (count == 0) co_return asio::error::eof;
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
      co_return NetError(errno, boost::system::system_category());
    const auto [error] = co_await socket.async_wait(asio::socket_base::wait_read, kTuple);
    if (error) co_return error;
  }
}

void Connection::write_now(std::string_view& head, std::string_view& body) {
  if (tls) return;
  std::array<iovec, 2> parts{iovec{const_cast<char*>(head.data()), head.size()},
                             iovec{const_cast<char*>(body.data()), body.size()}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  const auto count = ::sendmsg(socket.native_handle(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count <= 0) return;  // a failure comes again, and is told by write()
  const auto written = static_cast<std::size_t>(count);
  const std::size_t of_head = std::min(written, head.size());
  head.remove_prefix(of_head);
  body.remove_prefix(written - of_head);
}

bool Connection::stale() {
  char byte = 0;
  const auto count = ::recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (count < 0) return errno != EAGAIN && errno != EWOULDBLOCK;
  return count == 0 || !tls;  // TLS peers may send session tickets unasked
}

void Connection::close() {
  NetError ignored;
  socket.close(ignored);
}

}  // namespace pacenote
