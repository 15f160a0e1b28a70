#include "core/request_head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "core/version.hpp"

namespace pacenote {
namespace {

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool names(const Headers& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(), [&](const auto& h) { return same_name(h.first, name); });
}

/// A header value must not be able to start another header.
std::string one_line(std::string text) {
  std::erase_if(text, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
  return text;
}

std::string authorization(const ClientOptions& options) {
  if (!options.api_key.empty()) return fmt::format("Authorization: ApiKey {}\r\n", one_line(options.api_key));
  if (options.basic_auth_user.empty()) return {};
  const std::string pair = fmt::format("{}:{}", options.basic_auth_user, options.basic_auth_password);
  return fmt::format("Authorization: Basic {}\r\n", base64(pair));
}

}  // namespace

std::string base64(std::string_view text) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k > text.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63];
  }
  return out;
}

RequestHeads::RequestHeads(const Cluster& cluster) {
  for (const Host& host : cluster.hosts) {
    const bool v6 = host.name.find(':') != std::string::npos;
    hosts_.push_back({host.path_prefix, fmt::format("Host: {}{}{}:{}\r\n", v6 ? "[" : "", host.name,
                                                    v6 ? "]" : "", host.port)});
  }
  accept_ = fmt::format("Accept: {}\r\n", media_type(Media::json, cluster));
  json_ = fmt::format("Content-Type: {}\r\n", media_type(Media::json, cluster));
  ndjson_ = fmt::format("Content-Type: {}\r\n", media_type(Media::ndjson, cluster));
  fixed_ = fmt::format("User-Agent: pacenote/{}\r\nConnection: keep-alive\r\n{}", kVersion,
                       authorization(cluster.options));
  for (const auto& [name, value] : cluster.options.headers)
    fixed_ += fmt::format("{}: {}\r\n", one_line(name), one_line(value));
  opaque_id_ = one_line(cluster.options.opaque_id);
}

void RequestHeads::write(std::size_t host, const Request& request, std::size_t body_bytes, bool packed,
                         std::string& out) const {
  const Headers& own = request.options.headers;
  const PerHost& target = hosts_[host];
  out.clear();
  out.append(to_string(request.method)).append(" ").append(target.prefix).append(request.target);
  out.append(" HTTP/1.1\r\n").append(target.host).append(fixed_);
  if (own.empty() || !names(own, "accept")) out.append(accept_);
  if (own.empty() || !names(own, "accept-encoding")) out.append("Accept-Encoding: gzip, deflate\r\n");
  if (request.media != Media::none && (own.empty() || !names(own, "content-type")))
    out.append(request.media == Media::ndjson ? ndjson_ : json_);
  if (packed) out.append("Content-Encoding: gzip\r\n");
  if (request.media != Media::none || request.method == Method::post || request.method == Method::put)
    fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", body_bytes);
  for (const auto& [name, value] : own)
    fmt::format_to(std::back_inserter(out), "{}: {}\r\n", one_line(name), one_line(value));
  const std::string& opaque = request.options.opaque_id.empty() ? opaque_id_ : request.options.opaque_id;
  if (!opaque.empty()) fmt::format_to(std::back_inserter(out), "X-Opaque-Id: {}\r\n", one_line(opaque));
  out.append("\r\n");
}

}  // namespace pacenote
