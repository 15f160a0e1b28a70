#include "core/request_head.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <iterator>

#include "core/text.hpp"
#include "core/version.hpp"

namespace pacenote {
namespace {

bool names(const Headers& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(),
                     [&](const auto& h) { return same_ignoring_case(h.first, name); });
}

/// A header value must not be able to start another header.
std::string one_line(std::string text) {
  std::erase_if(text, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
  return text;
}

std::string authorization(const ClientOptions& options) {
  if (!options.api_key.empty()) return fmt::format("Authorization: ApiKey {}\r\n", one_line(options.api_key));
  if (options.basic_auth_user.empty()) return {};
  return fmt::format("Authorization: {}\r\n",
                     basic_credentials(options.basic_auth_user, options.basic_auth_password));
}

}  // namespace

std::string basic_credentials(std::string_view user, std::string_view password) {
  const std::string pair = fmt::format("{}:{}", user, password);
  std::string digits(4 * ((pair.size() + 2) / 3) + 1, '\0');  // OpenSSL ends its text with a zero
  digits.resize(static_cast<std::size_t>(EVP_EncodeBlock(reinterpret_cast<unsigned char*>(digits.data()),
                                                         reinterpret_cast<const unsigned char*>(pair.data()),
                                                         static_cast<int>(pair.size()))));
  return fmt::format("Basic {}", digits);
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
