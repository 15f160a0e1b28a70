// One TCP or TLS connection of a client, and what it last read.
#pragma once

#include <array>
#include <boost/asio/ssl.hpp>
#include <optional>
#include <string>

#include "core/answer.hpp"
#include "core/async.hpp"
#include "core/cluster.hpp"
#include "core/file_slice.hpp"
#include "core/tcp.hpp"
#include "core/units.hpp"

namespace pacenote {

using NetError = boost::system::error_code;

/// UserError where a certificate file cannot be read.
boost::asio::ssl::context client_tls(const ClientOptions& options);

struct Connection {
  explicit Connection(boost::asio::io_context& context) : socket(context) {}

  /// TLS from here on, as client; checks that the certificate is `host`'s where `context` verifies at all.
  Async<NetError> handshake(boost::asio::ssl::context& context, const std::string& host);
  /// Writes all of head and body, as one system call where the kernel takes it.
  Async<NetError> write(std::string_view head, std::string_view body);
  /// The same; a body that lies in its file as it is goes out of the page cache without a copy, unless on
  /// TLS. `changed`: the file is not what the slice says. SIGPIPE must be ignored.
  Async<NetError> write(std::string_view head, const FileSlice& body, bool& changed);
  /// Takes off the front of head and body what the kernel takes at once, without waiting; nothing on TLS, and
  /// where it fails.
  void write_now(std::string_view& head, std::string_view& body);
  /// One read into the buffer's room, which is made if there is none.
  Async<NetError> read_some();
  /// Takes up to `most` bytes that nobody wants to see, without a copy; not on TLS.
  Async<NetError> skip_some(std::size_t most, std::size_t& skipped);
  /// The peer has closed, or sent what nobody asked for: not to be used for another request.
  bool stale();
  void close();

  TcpSocket socket;
  std::optional<boost::asio::ssl::stream<TcpSocket&>> tls;
  ReadBuffer buffer;
  Instant last_used{};

 private:
  Async<NetError> write_unread(std::string_view head, const FileSlice& body, bool& changed);
  Async<NetError> write_pieces(std::string_view head, const FileSlice& body, bool& changed);
  std::string piece_;
};

}  // namespace pacenote
