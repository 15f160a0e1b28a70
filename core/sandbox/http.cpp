#include "core/sandbox/http.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/text.hpp"

namespace pacenote::sandbox {
namespace {

bool read_length(std::string_view text, std::uint64_t& out) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  return error == std::errc() && stop == end;
}

bool read_header(std::string_view line, Head& head) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trimmed(line.substr(colon + 1));
  for (const auto& [known, field] :
       {std::pair("accept", &Head::accept), std::pair("content-type", &Head::content_type),
        std::pair("authorization", &Head::authorization),
        std::pair("accept-encoding", &Head::accept_encoding),
        std::pair("content-encoding", &Head::content_encoding)})
    if (same_ignoring_case(name, known)) head.*field = value;
  if (same_ignoring_case(name, "content-length")) return read_length(value, head.content_length);
  if (same_ignoring_case(name, "expect"))
    head.expects_continue = contains_ignoring_case(value, "100-continue");
  if (same_ignoring_case(name, "transfer-encoding")) head.chunked = contains_ignoring_case(value, "chunked");
  if (same_ignoring_case(name, "connection"))
    head.keep_alive = head.keep_alive ? !contains_ignoring_case(value, "close")
                                      : contains_ignoring_case(value, "keep-alive");
  return true;
}

}  // namespace

std::optional<Head> parse_head(std::string_view text) {
  Head head;
  std::size_t end = text.find("\r\n");
  const std::string_view line = text.substr(0, std::min(end, text.size()));
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || last <= first) return std::nullopt;
  head.method = line.substr(0, first);
  head.target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return std::nullopt;
  if (head.target.empty() || head.target.front() != '/') return std::nullopt;
  head.keep_alive = version == "HTTP/1.1";
  while (end != std::string_view::npos && end + 2 < text.size()) {
    text.remove_prefix(end + 2);
    end = text.find("\r\n");
    const std::string_view header = text.substr(0, std::min(end, text.size()));
    if (!header.empty() && !read_header(header, head)) return std::nullopt;
  }
  return head;
}

std::size_t ChunkReader::take(std::string_view input, std::string& body) {
  std::size_t taken = 0;
  while (!done_ && !broken_) {
    const std::string_view rest = input.substr(taken);
    if (in_data_) {
      if (left_ > 2) {
        const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(left_ - 2, rest.size()));
        body.append(rest.substr(0, n));
        taken += n;
        left_ -= n;
        if (n == 0 || left_ > 2) return taken;
        continue;
      }
      if (rest.size() < 2) return taken;
      broken_ = !rest.starts_with("\r\n");
      in_data_ = false;
      taken += 2;
      continue;
    }
    const std::size_t end = rest.find("\r\n");
    if (end == std::string_view::npos) {
      broken_ = rest.size() > 8192;
      return taken;
    }
    taken += end + 2;
    if (in_trailer_) {
      done_ = end == 0;
      continue;
    }
    std::uint64_t size = 0;
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + end, size, 16);
    broken_ = error != std::errc() || (stop != rest.data() + end && *stop != ';');
    in_trailer_ = size == 0;
    in_data_ = size > 0;
    left_ = size + 2;  // with the line end behind it
  }
  return taken;
}

std::string_view reason_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Request Entity Too Large";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return "Status";
  }
}

namespace {

/// Status line and headers, but for how long the body is.
std::string head_of(const Answer& answer, bool keep_alive) {
  std::string out = fmt::format("HTTP/1.1 {} {}\r\ncontent-type: {}\r\n", answer.status,
                                reason_phrase(answer.status), answer.content_type);
  for (const auto& [name, value] : answer.headers) out += fmt::format("{}: {}\r\n", name, value);
  if (!keep_alive) out += "connection: close\r\n";
  return out;
}

}  // namespace

std::string to_http(const Answer& answer, bool keep_alive, bool head_only) {
  std::string out = head_of(answer, keep_alive);
  out += fmt::format("content-length: {}\r\n\r\n", answer.body.size());
  if (!head_only) out += answer.body;
  return out;
}

std::string to_chunks(const Answer& answer, bool keep_alive) {
  constexpr std::size_t kChunk = 7;
  std::string out = head_of(answer, keep_alive) + "transfer-encoding: chunked\r\n\r\n";
  for (std::string_view left = answer.body; !left.empty();
       left.remove_prefix(std::min(kChunk, left.size()))) {
    const std::string_view chunk = left.substr(0, kChunk);
    out += fmt::format("{:x}\r\n{}\r\n", chunk.size(), chunk);
  }
  return out + "0\r\n\r\n";
}

}  // namespace pacenote::sandbox
