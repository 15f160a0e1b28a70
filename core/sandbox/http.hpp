// HTTP/1.1 as text: heads, chunked bodies. No sockets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/sandbox/asked.hpp"

namespace pacenote::sandbox {

/// Views of the text it was read from.
struct Head {
  std::string_view method, target;
  std::string_view content_type, content_encoding, accept, accept_encoding, authorization;
  std::uint64_t content_length = 0;
  bool chunked = false, keep_alive = true, expects_continue = false;
};

/// `text` is the request line and the header lines, up to the blank line. None: not HTTP.
std::optional<Head> parse_head(std::string_view text);

/// Undoes chunked encoding piece by piece.
class ChunkReader {
 public:
  /// Takes what it can of `input` and appends the content to `body`; returns how much it took.
  std::size_t take(std::string_view input, std::string& body);
  bool done() const { return done_; }
  bool broken() const { return broken_; }

 private:
  std::uint64_t left_ = 0;
  bool in_data_ = false, in_trailer_ = false, done_ = false, broken_ = false;
};

std::string_view reason_phrase(int status);
/// Status line, headers, blank line and body. With `head_only` the body is left out, its length is not.
std::string to_http(const Answer& answer, bool keep_alive, bool head_only);
/// The same in chunks of 7 bytes (RFC 9112, 7.1).
std::string to_chunks(const Answer& answer, bool keep_alive);

}  // namespace pacenote::sandbox
