// One connection: reads requests, asks the front, writes answers.
#pragma once

#include <boost/asio/ssl/stream.hpp>
#include <string>
#include <vector>

#include "core/sandbox/front.hpp"
#include "core/sandbox/spoil.hpp"
#include "core/tcp.hpp"

namespace pacenote::sandbox {

namespace asio = boost::asio;

/// `Stream` is a TCP socket or a TLS stream over one. On the thread of its socket's context.
template <class Stream>
class Connection {
 public:
  Connection(Stream stream, Front& front) : stream_(std::move(stream)), front_(front), chunk_(256 * 1024) {}

  /// Until the client or a fault ends it. The connection must live as long as the coroutine.
  Async<void> serve();

 private:
  std::string_view pending() const { return std::string_view(in_).substr(begin_); }

  /// Reads something more into `in_`. False: the other side is gone.
  Async<bool> more();
  /// Length of the head with its blank line; 0: there will be none.
  Async<std::size_t> head_size();
  Async<bool> write(std::string_view text);
  Async<bool> send(const Answer& answer, bool keep_alive, bool head_only);
  Async<bool> refuse(int status, std::string_view type, std::string_view reason);
  Async<bool> one_request();
  /// Passes over the body without looking at it.
  Async<bool> answer_at_once(std::size_t head, std::uint64_t body, const std::string& answer);
  /// `head` points into what is read: used up before anything more is read.
  Async<bool> answer_properly(const Head& head, std::size_t size, const Effect& effect);
  /// With `piece` above 0 at most so many bytes a millisecond.
  Async<bool> read_body(std::string& body, std::uint64_t length, std::size_t piece);
  Async<bool> read_chunks(std::string& body);
  Async<void> pause(Instant until);
  Async<Answer> decide(const Asked& request, const Effect& effect);
  Async<bool> answer(const Asked& request, bool keep_alive, const Effect& effect);
  Async<bool> send_as(FaultKind kind, const Answer& answer, bool keep_alive, bool head_only);
  Async<void> read_until_gone();
  Write writer();
  /// Closes so that the client sees ECONNRESET.
  void reset();

  Stream stream_;
  Front& front_;
  std::vector<char> chunk_;
  std::string in_;  ///< read, from `begin_` on not yet used
  std::size_t begin_ = 0;
};

}  // namespace pacenote::sandbox
