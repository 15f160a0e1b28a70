#include "core/sandbox/connection.hpp"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>

#include "core/gzip.hpp"

namespace pacenote::sandbox {
namespace {

constexpr std::size_t kMostHead = 64 * 1024, kMostBody = 100U << 20U;
constexpr std::size_t kSlowPiece = 16 * 1024;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

template <class Stream>
Async<void> Connection<Stream>::serve() {
  boost::system::error_code ignored;
  stream_.lowest_layer().set_option(asio::ip::tcp::no_delay(true), ignored);
  if constexpr (!std::is_same_v<Stream, TcpSocket>) {
    const auto [error] = co_await stream_.async_handshake(asio::ssl::stream_base::server, kTuple);
    if (error) co_return;
  }
  bool open = true;
  while (open) open = co_await one_request();
}

template <class Stream>
Async<bool> Connection<Stream>::more() {
  const auto [error, size] = co_await stream_.async_read_some(asio::buffer(chunk_), kTuple);
  if (error || size == 0) co_return false;
  in_.erase(0, begin_);
  begin_ = 0;
  in_.append(chunk_.data(), size);
  co_return true;
}

template <class Stream>
Async<std::size_t> Connection<Stream>::head_size() {
  std::size_t from = 0;
  while (true) {
    const std::string_view text = pending();
    const std::size_t end = text.find("\r\n\r\n", from);
    if (end != std::string_view::npos) co_return end + 4;
    // A TLS greeting, or anything else that is not HTTP, would never show a blank line.
    if (text.size() > kMostHead || (!text.empty() && (text[0] < 'A' || text[0] > 'Z'))) co_return 0;
    from = text.size() < 3 ? 0 : text.size() - 3;
    const bool came = co_await more();
    if (!came) co_return 0;
  }
}

template <class Stream>
Async<bool> Connection<Stream>::write(std::string_view text) {
  while (!text.empty()) {
    const auto [error, size] =
        co_await stream_.async_write_some(asio::buffer(text.data(), text.size()), kTuple);
    if (error) co_return false;
    text.remove_prefix(size);
  }
  co_return true;
}

template <class Stream>
Async<bool> Connection<Stream>::send(const Answer& answer, bool keep_alive, bool head_only) {
  const std::string text = to_http(answer, keep_alive, head_only);
  const bool sent = co_await write(text);
  co_return sent&& keep_alive;
}

template <class Stream>
Async<bool> Connection<Stream>::refuse(int status, std::string_view type, std::string_view reason) {
  Effect effect;
  effect.status = status;
  effect.body = fmt::format(R"({{"error":{{"type":"{}","reason":"{}"}},"status":{}}})", type, reason, status);
  const Answer answer = front_.injected(effect);
  co_return co_await send(answer, false, false);
}

template <class Stream>
Async<bool> Connection<Stream>::one_request() {
  const std::size_t size = co_await head_size();
  if (size == 0) co_return false;
  const std::string_view text = pending().substr(0, size - 2);
  const std::optional<Head> head = parse_head(text);
  if (!head) co_return co_await refuse(400, "illegal_argument_exception", "not a request");
  if (head->content_length > kMostBody)
    co_return co_await refuse(413, "content_too_long_exception", "the body is longer than 100mb");
  const std::string_view path = head->target.substr(0, head->target.find('?'));
  const Effect effect = front_.meet(head->method, path, std::chrono::steady_clock::now());
  const bool plain =
      effect.kind == FaultKind::none && effect.delay.count() == 0 && effect.not_before == Instant();
  const std::string& null_answer = front_.null_answer(path);
  if (plain && !null_answer.empty() && !head->chunked && !head->expects_continue && head->keep_alive &&
      !front_.refuse_credentials(head->authorization, head->target))
    co_return co_await answer_at_once(size, head->content_length, null_answer);
  co_return co_await answer_properly(*head, size, effect);
}

template <class Stream>
Async<bool> Connection<Stream>::answer_at_once(std::size_t head, std::uint64_t body,
                                               const std::string& answer) {
  const std::size_t here = std::min<std::uint64_t>(body, pending().size() - head);
  begin_ += head + here;
  body -= here;
  while (body > 0) {
    const std::size_t most = std::min<std::uint64_t>(body, chunk_.size());
    const auto [error, size] = co_await stream_.async_read_some(asio::buffer(chunk_.data(), most), kTuple);
    if (error) co_return false;
    body -= size;
  }
  co_return co_await write(answer);
}

template <class Stream>
Async<bool> Connection<Stream>::answer_properly(const Head& head, std::size_t size, const Effect& effect) {
  Asked request = asked(head.method, head.target);
  request.content_type = head.content_type;
  request.accept = head.accept;
  request.accept_encoding = head.accept_encoding;
  request.authorization = head.authorization;
  request.items_failed = effect.items_failed;
  request.items_status = effect.items_status;
  const std::string encoding(head.content_encoding);
  const bool keep_alive = head.keep_alive, chunked = head.chunked, expects = head.expects_continue;
  const std::uint64_t length = head.content_length;
  begin_ += size;
  if (expects) {
    const bool told = co_await write(kContinue);
    if (!told) co_return false;
  }
  bool whole = false;
  if (chunked)
    whole = co_await read_chunks(request.body);
  else
    whole = co_await read_body(request.body, length, effect.kind == FaultKind::slow_read ? kSlowPiece : 0);
  if (!whole && request.body.size() > kMostBody)
    co_return co_await refuse(413, "content_too_long_exception", "the body is longer than 100mb");
  if (!whole) co_return false;
  if (encoding.find("gzip") != std::string::npos || encoding == "deflate") {
    std::string text;
    if (!gunzip(request.body, kMostBody, text))
      co_return co_await refuse(400, "illegal_argument_exception", "the body is not valid gzip");
    request.body = std::move(text);
  }
  co_return co_await answer(request, keep_alive, effect);
}

template <class Stream>
Async<bool> Connection<Stream>::read_body(std::string& body, std::uint64_t length, std::size_t piece) {
  const std::size_t here = std::min<std::uint64_t>(length, pending().size());
  body.assign(pending().substr(0, here));
  begin_ += here;
  body.resize(length);
  std::size_t have = here;
  while (have < length) {
    if (piece > 0) co_await pause(std::chrono::steady_clock::now() + std::chrono::milliseconds(1));
    const std::size_t most = piece > 0 ? std::min<std::size_t>(piece, length - have) : length - have;
    const auto [error, size] =
        co_await stream_.async_read_some(asio::buffer(body.data() + have, most), kTuple);
    if (error) co_return false;
    have += size;
  }
  co_return true;
}

template <class Stream>
Async<bool> Connection<Stream>::read_chunks(std::string& body) {
  ChunkReader reader;
  while (true) {
    begin_ += reader.take(pending(), body);
    if (reader.done()) co_return true;
    if (reader.broken() || body.size() > kMostBody) co_return false;
    const bool came = co_await more();
    if (!came) co_return false;
  }
}

template <class Stream>
Async<void> Connection<Stream>::pause(Instant until) {
  Timer timer(stream_.get_executor(), until);
  co_await timer.async_wait(kTuple);
}

template <class Stream>
Async<Answer> Connection<Stream>::decide(const Asked& request, const Effect& effect) {
  if (auto refusal = front_.refuse_credentials(request.authorization, request.target)) co_return *refusal;
  if (effect.kind == FaultKind::status) co_return front_.injected(effect);
  const Instant begin = std::chrono::steady_clock::now();
  Waited waited;
  while (true) {
    Answer answer = front_.answer(request, waited);
    if (answer.again.count() == 0) co_return answer;
    waited.ticket = answer.ticket;
    const Instant until = std::chrono::steady_clock::now() + answer.again;
    co_await pause(until);
    waited.time = std::chrono::steady_clock::now() - begin;
  }
}

template <class Stream>
Async<bool> Connection<Stream>::answer(const Asked& request, bool keep_alive, const Effect& effect) {
  const Instant until = std::max(effect.not_before, std::chrono::steady_clock::now()) + effect.delay;
  if (effect.not_before != Instant() || effect.delay.count() > 0) co_await pause(until);
  if (effect.kind == FaultKind::reset) reset();
  if (effect.kind == FaultKind::hang) co_await read_until_gone();
  if (effect.kind == FaultKind::reset || effect.kind == FaultKind::hang) co_return false;
  const Write write_all = writer();
  const bool instead = co_await write_instead(effect.kind, write_all);
  if (instead) co_return false;
  const std::string& null_answer = front_.null_answer(request.path);
  if (!null_answer.empty() && effect.kind == FaultKind::none && keep_alive)
    co_return co_await write(null_answer);
  Answer answer = co_await decide(request, effect);
  if (effect.kind == FaultKind::gzip_bomb) {
    answer = gzip_bomb();
  } else if (request.accept_encoding.find("gzip") != std::string::npos && !answer.body.empty() &&
             request.method != "HEAD") {
    std::string packed;
    gzip(answer.body, 3, packed);
    answer.body = std::move(packed);
    answer.headers.emplace_back("content-encoding", "gzip");
  }
  co_return co_await send_as(effect.kind, answer, keep_alive, request.method == "HEAD");
}

template <class Stream>
Async<bool> Connection<Stream>::send_as(FaultKind kind, const Answer& answer, bool keep_alive,
                                        bool head_only) {
  if (kind == FaultKind::truncate) {
    const std::string text = to_http(answer, keep_alive, false);
    co_await write(std::string_view(text).substr(0, text.size() - (answer.body.size() + 1) / 2));
    co_return false;
  }
  if (kind == FaultKind::chunked) {
    const std::string text = to_chunks(answer, keep_alive);
    const bool sent = co_await write(text);
    co_return sent&& keep_alive;
  }
  if (kind == FaultKind::trickle) {
    const std::string text = to_http(answer, keep_alive, head_only);
    const Write write_all = writer();
    const Pause wait = [this](Duration time) { return pause(std::chrono::steady_clock::now() + time); };
    const bool sent = co_await sandbox::trickle(text, write_all, wait);
    co_return sent&& keep_alive;
  }
  if (kind == FaultKind::interim) {
    const bool told = co_await write(kContinue);
    if (!told) co_return false;
  }
  const bool open = co_await send(answer, keep_alive, head_only);
  if (kind != FaultKind::half_close) co_return open;
  boost::system::error_code ignored;
  stream_.lowest_layer().shutdown(asio::socket_base::shutdown_send, ignored);
  co_await read_until_gone();
  co_return false;
}

template <class Stream>
Async<void> Connection<Stream>::read_until_gone() {
  bool there = true;
  while (there) {
    begin_ = in_.size();
    there = co_await more();
  }
}

template <class Stream>
Write Connection<Stream>::writer() {
  return [this](std::string_view text) { return write(text); };
}

template <class Stream>
void Connection<Stream>::reset() {
  boost::system::error_code ignored;
  stream_.lowest_layer().set_option(asio::socket_base::linger(true, 0), ignored);
  stream_.lowest_layer().close(ignored);
}

template class Connection<TcpSocket>;
template class Connection<asio::ssl::stream<TcpSocket>>;

}  // namespace pacenote::sandbox
