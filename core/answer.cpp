#include "core/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <cassert>
#include <cstring>

namespace pacenote {

namespace http = boost::beast::http;
using BeastView = boost::beast::string_view;
using BeastError = boost::beast::error_code;

void ReadBuffer::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  std::unique_ptr<char[]> grown(new char[capacity]);
  if (size_ != 0) std::memcpy(grown.get(), bytes_.get(), size_);
  bytes_ = std::move(grown);
  capacity_ = capacity;
}

constexpr const char* kTooLarge = "the answer's body is larger than 256 MB";

/// Keeps the status and what the body is; joins chunks. Everything else stays where it is, in the buffer.
class Answer::Parser final : public http::basic_parser<false> {
 public:
  explicit Parser(bool head_request) {
    skip(head_request);
    header_limit(kLargestHead);
    body_limit(kLargestBody);
  }
  int code = 0;
  bool packed = false;
  std::string joined;

 private:
  void on_request_impl(http::verb, BeastView, BeastView, int, BeastError&) override {}
  void on_response_impl(int status_code, BeastView, int, BeastError&) override { code = status_code; }
  void on_field_impl(http::field name, BeastView, BeastView value, BeastError&) override {
    if (name == http::field::content_encoding)
      packed = boost::beast::iequals(value, "gzip") || boost::beast::iequals(value, "deflate");
  }
  void on_header_impl(BeastError&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, BeastError&) override {}
  std::size_t on_body_impl(BeastView bytes, BeastError&) override {
    joined.append(bytes.data(), bytes.size());
    return bytes.size();
  }
  void on_chunk_header_impl(std::uint64_t, BeastView, BeastError&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, BeastView bytes, BeastError& error) override {
    if (joined.size() + bytes.size() > kLargestBody) error = http::error::body_limit;
    joined.append(bytes.data(), bytes.size());
    return bytes.size();
  }
  void on_finish_impl(BeastError&) override {}
};

Answer::Answer(ReadBuffer& buffer, bool head_request)
    : buffer_(buffer), head_request_(head_request), parser_(std::make_unique<Parser>(head_request)) {}
Answer::~Answer() = default;

Answer::State Answer::broken(std::string text) {
  error_ = std::move(text);
  return State::broken;
}

void Answer::restart() {
  parser_ = std::make_unique<Parser>(head_request_);
  message_begin_ = parsed_;
}

Answer::State Answer::parse() {
  while (!parser_->is_header_done()) {
    const State state = parse_head();
    if (state != State::done) return state;
    if (parser_->code / 100 == 1 && parser_->code != 101)
      restart();  // 100 Continue: the answer comes after it
  }
  return parse_body();
}

Answer::State Answer::parse_head() {
  const std::string_view rest = buffer_.view().substr(parsed_);
  if (!rest.empty() && (rest[0] == 0x15 || rest[0] == 0x16)) return broken("the port speaks TLS, not HTTP");
  BeastError error;
  const std::size_t before = parsed_;
  parsed_ += parser_->put(boost::asio::const_buffer(rest.data(), rest.size()), error);
  if (error == http::error::need_more) {  // the status line may have been taken all the same
    if (rest.size() > kLargestHead) return broken("the answer's head is larger than 64 kB");
    return State::more;
  }
  if (error == http::error::body_limit) return broken(kTooLarge);
  if (error)
    return broken(before == 0 ? fmt::format("the answer is not HTTP ({})", error.message())
                              : fmt::format("broken answer ({})", error.message()));
  body_begin_ = parsed_;
  return State::done;
}

Answer::State Answer::parse_body() {
  if (parser_->is_done()) return State::done;
  if (!parser_->chunked()) {
    if (const auto length = parser_->content_length())
      return body_bytes() >= *length ? State::done : State::more;
    if (buffer_.size() - body_begin_ > kLargestBody) return broken(kTooLarge);
    return State::more;  // ends where the stream ends
  }
  while (!parser_->is_done()) {
    const std::string_view rest = buffer_.view().substr(parsed_);
    BeastError error;
    const std::size_t used = parser_->put(boost::asio::const_buffer(rest.data(), rest.size()), error);
    parsed_ += used;
    if (error == http::error::need_more || (!error && used == 0)) return State::more;
    if (error == http::error::body_limit) return broken(kTooLarge);
    if (error) return broken(fmt::format("broken answer ({})", error.message()));
  }
  return State::done;
}

Answer::State Answer::end_of_stream() {
  if (buffer_.size() == 0) return broken("the server closed the connection without an answer");
  if (!parser_->is_header_done()) return broken("the server closed the connection within the answer's head");
  if (parser_->is_done()) return State::done;
  if (parser_->chunked() || parser_->content_length())
    return broken("the server closed the connection within the answer's body");
  return State::done;
}

std::size_t Answer::wanted() const {
  if (!parser_->is_header_done() || parser_->chunked()) return 0;
  const auto length = parser_->content_length();
  if (!length) return 0;
  return *length > body_bytes() ? static_cast<std::size_t>(*length) - body_bytes() : 0;
}

bool Answer::may_skip() const { return wanted() > 0 && !compressed() && status() / 100 == 2; }

void Answer::skipped(std::size_t bytes) { skipped_ += bytes; }

int Answer::status() const { return parser_->code; }

bool Answer::keep_alive() const {
  if (!parser_->keep_alive()) return false;
  const std::size_t end = parser_->chunked() || parser_->is_done()
                              ? parsed_
                              : body_begin_ + static_cast<std::size_t>(parser_->content_length().value_or(0));
  return buffer_.size() + skipped_ == end;  // bytes after the answer belong to nothing we asked
}

std::string_view Answer::head() const {
  const std::string_view all = buffer_.view().substr(message_begin_, body_begin_ - message_begin_);
  const std::size_t line = all.find('\n');
  return line == std::string_view::npos ? std::string_view() : all.substr(line + 1);
}

std::string_view Answer::body() const {
  if (head_request_ || parser_->chunked()) return parser_->joined;
  const std::string_view rest = buffer_.view().substr(body_begin_);
  if (const auto length = parser_->content_length()) return rest.substr(0, static_cast<std::size_t>(*length));
  return parser_->is_done() ? std::string_view() : rest;
}

bool Answer::compressed() const { return parser_->packed; }

}  // namespace pacenote
