#include "core/sandbox/http.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace pacenote::sandbox {
namespace {

bool same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool mentions(std::string_view value, std::string_view word) {
  return std::search(value.begin(), value.end(), word.begin(), word.end(),
                     [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); }) !=
         value.end();
}

bool read_length(std::string_view text, std::uint64_t& out) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  return error == std::errc() && stop == end;
}

bool read_header(std::string_view line, Head& head) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view name = line.substr(0, colon);
  std::string_view value = line.substr(colon + 1);
  while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
  while (!value.empty() && value.back() == ' ') value.remove_suffix(1);
  for (const auto& [known, field] :
       {std::pair("accept", &Head::accept), std::pair("content-type", &Head::content_type),
        std::pair("authorization", &Head::authorization),
        std::pair("accept-encoding", &Head::accept_encoding),
        std::pair("content-encoding", &Head::content_encoding)})
    if (same(name, known)) head.*field = value;
  if (same(name, "content-length")) return read_length(value, head.content_length);
  if (same(name, "expect")) head.expects_continue = mentions(value, "100-continue");
  if (same(name, "transfer-encoding")) head.chunked = mentions(value, "chunked");
  if (same(name, "connection"))
    head.keep_alive = head.keep_alive ? !mentions(value, "close") : mentions(value, "keep-alive");
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

std::optional<std::string> gunzip(std::string_view packed, std::size_t limit) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 32) != Z_OK) return std::nullopt;  // gzip or zlib
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out;
  int state = Z_OK;
  while (state == Z_OK && out.size() <= limit) {
    const std::size_t had = out.size();
    out.resize(had + std::max<std::size_t>(packed.size() * 4, 16384));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + had);
    stream.avail_out = static_cast<uInt>(out.size() - had);
    state = inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
    if (state == Z_OK && stream.avail_in == 0 && stream.avail_out > 0) break;  // cut short
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END || out.size() > limit) return std::nullopt;
  return out;
}

std::string gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, 3, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
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

std::string to_http(const Answer& answer, bool keep_alive, bool head_only) {
  std::string out = fmt::format("HTTP/1.1 {} {}\r\ncontent-type: {}\r\n", answer.status,
                                reason_phrase(answer.status), answer.content_type);
  for (const auto& [name, value] : answer.headers) out += fmt::format("{}: {}\r\n", name, value);
  if (!keep_alive) out += "connection: close\r\n";
  out += fmt::format("content-length: {}\r\n\r\n", answer.body.size());
  if (!head_only) out += answer.body;
  return out;
}

std::string basic_credentials(const std::string& user, const std::string& password) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string text = fmt::format("{}:{}", user, password);
  std::string out = "Basic ";
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | (i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k > text.size() ? '=' : kLetters[group >> (18 - 6 * k) & 63U];
  }
  return out;
}

}  // namespace pacenote::sandbox
