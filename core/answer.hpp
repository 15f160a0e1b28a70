// Reads one HTTP/1.1 answer out of bytes as they come (RFC 9112), with Beast's parser and without copying a
// body of known length. No input or output of its own, so it is tested and fuzzed by bytes alone.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace pacenote {

inline constexpr std::uint64_t kLargestBody = std::uint64_t{256} << 20;  ///< packed, and unpacked
inline constexpr std::uint32_t kLargestHead = 64 * 1024;

/// Bytes of one connection, contiguous, not zeroed when they grow, kept from answer to answer.
class ReadBuffer {
 public:
  char* data() { return bytes_.get(); }
  const char* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  char* room() { return bytes_.get() + size_; }
  std::size_t room_size() const { return capacity_ - size_; }
  void commit(std::size_t n) { size_ += n; }
  void clear() { size_ = 0; }
  void reserve(std::size_t capacity);
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0, capacity_ = 0;
};

class Answer {
 public:
  enum class State : std::uint8_t { more, done, broken };

  /// `buffer` outlives the answer. `head_request`: the answer to a HEAD has no body.
  Answer(ReadBuffer& buffer, bool head_request);
  ~Answer();
  /// Looks at what the buffer holds now. `more`: read at least one byte into it, making room() first.
  State parse();
  /// The peer has closed: done if that ends the body, else broken.
  State end_of_stream();
  std::size_t wanted() const;       ///< bytes still missing where that is known, else 0
  bool may_skip() const;            ///< so many bytes that are wanted() need not come into the buffer
  void skipped(std::size_t bytes);  ///< so many of them came and were thrown away

  int status() const;
  bool keep_alive() const;        ///< the connection may carry another request
  std::string_view head() const;  ///< header lines without the status line
  std::string_view body() const;  ///< as on the wire, chunks joined, still compressed
  bool compressed() const;        ///< content-encoding gzip or deflate
  const std::string& error() const { return error_; }

 private:
  class Parser;
  State parse_head();
  State parse_body();
  State broken(std::string text);
  void restart();

  ReadBuffer& buffer_;
  bool head_request_;
  std::unique_ptr<Parser> parser_;
  std::size_t parsed_ = 0, message_begin_ = 0, body_begin_ = 0, skipped_ = 0;
  std::size_t body_bytes() const { return buffer_.size() - body_begin_ + skipped_; }
  std::string error_;
};

}  // namespace pacenote
