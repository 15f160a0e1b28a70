#include "core/beast_transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/gzip.hpp"

namespace pacenote {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using tcp = asio::ip::tcp;

namespace {

constexpr Duration kIdleCheck = std::chrono::seconds(1);

bool idempotent(const Request& request) {
  return request.method != Method::post && request.media != Media::ndjson;
}

}  // namespace

void BeastTransport::cut(Failure why) {
  if (cut_ != Failure::none || deadline_ == Instant::max()) return;
  cut_ = why;
  resolver_.cancel();
  if (connection_) connection_->close();
}

void BeastTransport::fail(Response& response, Failure failure, std::string text) {
  response.status = 0;
  response.failure = cut_ != Failure::none ? cut_ : failure;
  if (cut_ == Failure::timeout) text = "network connection timed out";
  if (cut_ == Failure::interrupted) text = "interrupted";
  response.error = std::move(text);
  response.body = response.head = {};  // their bytes go with the connection
  response.received = std::chrono::steady_clock::now();
  if (connection_) connection_->close();
  connection_.reset();
}

Async<Response> BeastTransport::send(const Request& request) {
  Response response;
  response.sent = response.first_byte = response.received = std::chrono::steady_clock::now();
  if (pool_.interrupted) {
    fail(response, Failure::interrupted, "interrupted");
    co_return response;
  }
  const std::size_t host = rotation_.pick(response.sent);
  body_ = request.body;
  if (request.slice != nullptr && pool_.cluster.options.http_compress) {
    request.slice->read(unsent_);
    body_ = unsent_;
  }
  changed_ = false;
  cut_ = Failure::none;
  deadline_ = response.sent + request.options.timeout.value_or(pool_.cluster.options.timeout);
  ++pool_.active;
  pool_.watch();
  Progress progress;
  co_await attempt(host, request, response, progress);
  // A kept-alive connection that turns out dead says nothing about the request: one more try, if that is
  // safe.
  if (response.failure != Failure::none && cut_ == Failure::none && progress.reused && !progress.byte_came &&
      idempotent(request)) {
    ++response.attempts;
    progress = Progress();
    co_await attempt(host, request, response, progress);
  }
  const bool alive = response.failure == Failure::none || cut_ == Failure::interrupted;
  rotation_.note(host, alive, response.received);
  deadline_ = Instant::max();
  --pool_.active;
  if (changed_) request.slice->has_changed();
  co_return response;
}

Async<void> BeastTransport::attempt(std::size_t host, const Request& request, Response& response,
                                    Progress& progress) {
  response.failure = Failure::none;
  response.error.clear();
  connection_ = std::move(idle_[host]);
  if (connection_) {
    const bool careful = !idempotent(request) || response.sent - connection_->last_used > kIdleCheck;
    if (!connection_->socket.is_open() || (careful && connection_->stale())) connection_.reset();
  }
  progress.reused = response.reused = connection_ != nullptr;
  if (!connection_) {
    const Instant before = std::chrono::steady_clock::now();
    const bool opened = co_await open(host, response);
    response.connecting += std::chrono::steady_clock::now() - before;
    if (!opened) co_return;
  }
  std::string_view body = body_;
  const bool in_file = request.slice != nullptr && !pool_.cluster.options.http_compress;
  const bool pack = pool_.cluster.options.http_compress && !body.empty();
  if (pack) {
    gzip(body, 6, packed_);
    body = packed_;
  }
  const std::size_t body_size = in_file ? request.slice->text_size() : body.size();
  pool_.heads.write(host, request, body_size, pack, head_);
  response.bytes_out += head_.size() + body_size;
  NetError write_error;
  if (in_file) {
    write_error = co_await connection_->write(head_, *request.slice, changed_);
    if (changed_) {
      fail(response, Failure::protocol, "the file of the body has changed");
      co_return;
    }
  } else {
    std::string_view head = head_;
    connection_->write_now(head, body);  // small requests go out whole, without a turn through the scheduler
    if (!head.empty() || !body.empty()) write_error = co_await connection_->write(head, body);
  }
  co_await receive(request, response, progress, write_error);
  if (connection_) {  // closed or not: the answer lies in its buffer until the next send
    connection_->last_used = response.received;
    idle_[host] = std::move(connection_);
  }
}

Async<bool> BeastTransport::open(std::size_t host, Response& response) {
  const Host& target = pool_.cluster.hosts[host];
  connection_ = std::make_unique<Connection>(pool_.context);
  std::vector<tcp::endpoint> endpoints;
  NetError error;
  const auto address = asio::ip::make_address(target.name, error);
  if (!error) {
    endpoints.emplace_back(address, target.port);
  } else {
    const std::string service = std::to_string(target.port);
    const auto [resolve_error, found] = co_await resolver_.async_resolve(target.name, service, kTuple);
    if (resolve_error) {
      fail(response, Failure::connection,
           fmt::format("unknown host {}: {}", target.name, resolve_error.message()));
      co_return false;
    }
    for (const auto& entry : found) endpoints.push_back(entry.endpoint());
  }
  for (const tcp::endpoint& endpoint : endpoints) {
    connection_->close();
    std::tie(error) = co_await connection_->socket.async_connect(endpoint, kTuple);
    if (!error || cut_ != Failure::none) break;
  }
  if (error || cut_ != Failure::none) {
    fail(response, Failure::connection,
         fmt::format("cannot connect to {}: {}", target.url(), error.message()));
    co_return false;
  }
  connection_->socket.set_option(tcp::no_delay(true), error);
  if (!target.tls) co_return true;
  error = co_await connection_->handshake(*pool_.tls, target.name);
  if (!error) co_return true;
  const bool reset = error == asio::error::connection_reset || error == asio::error::eof;
  fail(response, Failure::tls,
       fmt::format("TLS handshake with {} failed: {}", target.url(),
                   reset ? "connection closed" : error.message()));
  co_return false;
}

Async<void> BeastTransport::receive(const Request& request, Response& response, Progress& progress,
                                    NetError write_error) {
  ReadBuffer& buffer = connection_->buffer;
  buffer.clear();
  Answer answer(buffer, request.method == Method::head);
  for (bool skips = false;;) {
    // Even where writing failed: a server that refuses a large body answers first and then closes.
    NetError error;
    if (std::size_t skipped = 0; skips) {
      error = co_await connection_->skip_some(answer.wanted(), skipped);
      answer.skipped(skipped);
      response.bytes_in += skipped;
    } else {
      error = co_await connection_->read_some();
    }
    if (error) {
      const bool closed = error == asio::error::eof || error == ssl::error::stream_truncated;
      if (closed && !write_error && answer.end_of_stream() == Answer::State::done) break;
      response.bytes_in += buffer.size();
      const std::string text = write_error ? fmt::format("sending failed: {}", write_error.message())
                               : closed    ? answer.error()
                                           : error.message();
      fail(response, buffer.size() == 0 ? Failure::connection : Failure::protocol, text);
      co_return;
    }
    if (!progress.byte_came) response.first_byte = std::chrono::steady_clock::now();
    progress.byte_came = true;
    const Answer::State state = answer.parse();
    if (state == Answer::State::done) break;
    if (state == Answer::State::broken) {
      response.bytes_in += buffer.size();
      fail(response, Failure::protocol, answer.error());
      co_return;
    }
    skips = skips || (request.enough != nullptr && !connection_->tls && answer.may_skip() &&
                      request.enough(answer.body()));
    if (!skips && answer.wanted() > buffer.room_size()) buffer.reserve(buffer.size() + answer.wanted());
  }
  finish(answer, response);
  if (write_error) connection_->close();
}

void BeastTransport::finish(Answer& answer, Response& response) {
  response.received = std::chrono::steady_clock::now();
  response.bytes_in += connection_->buffer.size();
  response.status = answer.status();
  response.head = answer.head();
  response.body = answer.body();
  if (answer.compressed() && !response.body.empty()) {
    if (!gunzip(response.body, kLargestBody, inflated_)) {
      fail(response, Failure::protocol, "the answer's gzip data is damaged or unpacks to more than 256 MB");
      return;
    }
    response.body = inflated_;
  } else if (response.body.data() < connection_->buffer.data() ||
             response.body.data() >= connection_->buffer.data() + connection_->buffer.size()) {
    inflated_.assign(response.body);  // joined chunks live in the parser, which ends here
    response.body = inflated_;
  }
  if (!answer.keep_alive()) connection_->close();
}

}  // namespace pacenote
