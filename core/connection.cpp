#include "core/connection.hpp"

#include <sys/socket.h>

#include <algorithm>

namespace pacenote {

namespace asio = boost::asio;

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

Async<NetError> Connection::write(std::string_view head, std::string_view body) {
  if (tls) co_return co_await write_all(*tls, head, body);
  co_return co_await write_all(socket, head, body);
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
