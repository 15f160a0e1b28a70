#include "core/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/text.hpp"

namespace pacenote {
namespace {

constexpr Duration kRetryEvery = std::chrono::milliseconds(500);
/// Closed without an answer: a port forwarder whose cluster still starts, or plain HTTP on a TLS port. As
/// Rally, eight tries are given to the first before the second is believed.
constexpr int kClosedTries = 8;

/// All hosts, since the answer does not say which one was asked.
std::string where(const Cluster& cluster) {
  constexpr std::size_t shown = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(shown, cluster.hosts.size()); ++i) {
    if (i > 0) out += ", ";
    out += cluster.hosts[i].url();
  }
  if (cluster.hosts.size() > shown) out += fmt::format(" and {} more", cluster.hosts.size() - shown);
  return out;
}

bool tls(const Cluster& cluster) { return !cluster.hosts.empty() && cluster.hosts.front().tls; }

bool refused(const Response& reply) {
  return reply.failure == Failure::connection && contains_ignoring_case(reply.error, "refused");
}

bool name_unknown(const Response& reply) {
  if (reply.failure != Failure::connection) return false;
  for (const auto* word :
       {"unknown host", "host not found", "not known", "resolve", "no address", "name resolution"})
    if (contains_ignoring_case(reply.error, word)) return true;
  return false;
}

/// No route, network down, …
bool unreachable(const Response& reply) {
  return reply.failure == Failure::connection && !refused(reply) &&
         contains_ignoring_case(reply.error, "cannot connect");
}

bool closed(const Response& reply) {
  return reply.failure == Failure::connection && !refused(reply) && !name_unknown(reply) &&
         !unreachable(reply);
}

/// The transport's word without what it says of the host, which the message names already.
std::string reason(const Response& reply) {
  const auto colon = reply.error.rfind(": ");
  return colon == std::string::npos ? reply.error : reply.error.substr(colon + 2);
}

UserError plain_on_tls(const Cluster& cluster) {
  return UserError(fmt::format("{} was spoken to in plain HTTP, but wants TLS", where(cluster)),
                   "Write https:// in --target-hosts, or use_ssl:true in --client-options.");
}

UserError connection_error(const Response& reply, const Cluster& cluster, Duration waited) {
  const std::string url = where(cluster);
  if (name_unknown(reply))
    return UserError(fmt::format("Unknown host name in {}: {}", url, reason(reply)),
                     "Check the spelling in --target-hosts, or name the host by its address.");
  if (unreachable(reply))
    return UserError(fmt::format("Cannot reach {}: {}", url, reason(reply)),
                     "Check host and port in --target-hosts, and the network between here and there.");
  if (refused(reply))
    return UserError(
        fmt::format("Cannot reach {}: connection refused for {:.1f} s", url, seconds(waited)),
        "Is the cluster running? Check host and port in --target-hosts, or wait until it has started.");
  return UserError(fmt::format("{} ends the connection without an answer: {}", url, reason(reply)),
                   tls(cluster)
                       ? "Check host and port in --target-hosts; is this the HTTPS port of the cluster?"
                       : "If the cluster wants TLS, write https:// in --target-hosts or use_ssl:true in "
                         "--client-options; otherwise check host and port.");
}

UserError tls_error(const Response& reply, const Cluster& cluster) {
  const std::string url = where(cluster);
  if (contains_ignoring_case(reply.error, "certificate") || contains_ignoring_case(reply.error, "verify"))
    return UserError(
        fmt::format("The certificate of {} is not trusted: {}", url, reason(reply)),
        "Name its authority's file as ca_certs in --client-options, or give verify_certs:false.");
  return UserError(
      fmt::format("No TLS with {}: {}", url, reason(reply)),
      "If the cluster speaks plain HTTP, write http:// in --target-hosts and leave use_ssl out of "
      "--client-options.");
}

/// For an exchange that ended without a status.
UserError failure_error(const Response& reply, const Cluster& cluster, Duration waited) {
  switch (reply.failure) {
    case Failure::timeout:
      return UserError(fmt::format("No answer from {} within {:.1f} s", where(cluster), seconds(waited)),
                       "Check host, port and firewall, or raise timeout in --client-options.");
    case Failure::tls:
      return tls_error(reply, cluster);
    case Failure::protocol:
      return UserError(fmt::format("{} does not answer in HTTP: {}", where(cluster), reason(reply)),
                       "Another service may own this port, or the cluster wants TLS (use_ssl:true in "
                       "--client-options).");
    case Failure::interrupted:
      return UserError("Interrupted while waiting for the cluster", {}, ExitCode::interrupted);
    default:
      return connection_error(reply, cluster, waited);
  }
}

bool wants_tls(const Response& reply) {
  return (reply.status == 400 &&
          contains_ignoring_case(reply.body, "plain HTTP request was sent to HTTPS port")) ||
         (reply.status >= 300 && reply.status < 400 && reply.header("location").starts_with("https:"));
}

/// For a status that is no success.
UserError status_error(const Response& reply, const Cluster& cluster) {
  const std::string url = where(cluster);
  const ClientOptions& options = cluster.options;
  const bool signed_in = !options.basic_auth_user.empty() || !options.api_key.empty();
  if (reply.status == 401)
    return UserError(fmt::format("{} {} (status 401)", url,
                                 signed_in ? "does not accept these credentials" : "wants credentials"),
                     "Give basic_auth_user and basic_auth_password, or api_key, in --client-options.");
  if (reply.status == 403)
    return UserError(
        fmt::format("{} forbids GET / to this user (status 403)", url),
        "Use a user with the monitor privilege: basic_auth_user or api_key in --client-options.");
  if (wants_tls(reply) && !tls(cluster)) return plain_on_tls(cluster);
  if (reply.status == 503 || reply.status == 408)
    return UserError(fmt::format("{} answers, but is not ready (status {})", url, reply.status),
                     "Look at the cluster's log and its health, then try again.");
  return UserError(fmt::format("{} answers GET / with status {}", url, reply.status),
                   "Check host, port and path in --target-hosts: is this Elasticsearch or OpenSearch?");
}

std::string text(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

Product product_of(const std::string& distribution, const std::string& tagline) {
  if (distribution == "opensearch" || contains_ignoring_case(tagline, "opensearch"))
    return Product::opensearch;
  return contains_ignoring_case(tagline, "for search") ? Product::elasticsearch : Product::unknown;
}

int leading_number(const std::string& version) {
  int out = 0;
  for (const char c : version) {
    if (c < '0' || c > '9' || out > 9999) break;
    out = out * 10 + (c - '0');
  }
  return out;
}

ClusterInfo read_info(const Response& reply, const Cluster& cluster) {
  const Json root = parse_json(reply.body);
  const Json version = root.is_object() && root.contains("version") ? root["version"] : Json();
  ClusterInfo info;
  if (version.is_object()) info.version = text(version, "number");
  if (info.version.empty())
    throw UserError(fmt::format("{} answers in HTTP, but is no Elasticsearch or OpenSearch", where(cluster)),
                    "Another service owns this port: check host, port and path in --target-hosts.");
  info.name = text(root, "cluster_name");
  info.uuid = text(root, "cluster_uuid");
  info.flavor = text(version, "build_flavor");
  if (info.flavor.empty()) info.flavor = "oss";
  info.revision = text(version, "build_hash");
  info.product = product_of(text(version, "distribution"), text(root, "tagline"));
  if (info.product == Product::unknown && reply.header("x-elastic-product") == "Elasticsearch")
    info.product = Product::elasticsearch;
  info.major = leading_number(info.version);
  info.sandbox = !reply.header("x-pacenote-sandbox").empty();
  if (info.flavor == "serverless")
    info.platform = "serverless";
  else if (!reply.header("x-found-handling-cluster").empty())
    info.platform = "hosted";
  return info;
}

}  // namespace

std::string Host::url() const {
  const bool ipv6 = name.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}{}", tls ? "https" : "http", ipv6 ? "[" : "", name, ipv6 ? "]" : "", port,
                     path_prefix);
}

std::string media_type(Media media, const Cluster& cluster) {
  if (media == Media::none) return {};
  const std::string_view kind = media == Media::json ? "json" : "x-ndjson";
  if (cluster.product != Product::elasticsearch || cluster.major < 8)
    return fmt::format("application/{}", kind);
  const int compatible = cluster.major == 9 ? 9 : 8;  // rally client/factory.py: other majors speak as 8
  return fmt::format("application/vnd.elasticsearch+{}; compatible-with={}", kind, compatible);
}

Async<ClusterInfo> probe(Transport& transport, Clock& clock, const Cluster& cluster, Duration patience,
                         Notes& notes) {
  const Instant start = clock.now();
  const Instant deadline = start + patience;
  int closed_tries = 0;
  Instant say = start + std::chrono::seconds(1);
  while (true) {
    Request request(Method::get, "/");
    const Duration left = deadline - clock.now();
    request.options.timeout = std::max<Duration>(std::min(cluster.options.timeout, left), kRetryEvery);
    const Response reply = co_await transport.send(request);
    if (reply.ok()) co_return read_info(reply, cluster);

    closed_tries = closed(reply) ? closed_tries + 1 : 0;
    const bool may_start = refused(reply) || reply.status == 503 || reply.status == 408 ||
                           (closed(reply) && closed_tries < kClosedTries);
    const Instant next = clock.now() + kRetryEvery;
    if (!may_start || next >= deadline) {
      if (reply.status != 0) throw status_error(reply, cluster);
      throw failure_error(reply, cluster, clock.now() - start);
    }
    if (clock.now() >= say) {
      const std::string why = reply.status != 0 ? fmt::format("status {}", reply.status) : reason(reply);
      notes.info(fmt::format("waiting for {}, up to {:.0f} s more: {}", where(cluster),
                             seconds(deadline - clock.now()), why));
      say = clock.now() + std::chrono::seconds(5);
    }
    co_await clock.sleep_until(next);
    if (clock.now() < next)
      throw UserError("Interrupted while waiting for the cluster", {}, ExitCode::interrupted);
  }
}

Async<bool> speaks_as_operator(Transport& transport) {
  const Request request(Method::get, "/_security/_authenticate");
  const Response response = co_await transport.send(request);
  const Json answer = parse_json(response.body);
  co_return response.ok() && answer.is_object() && answer.value("operator", Json()) == true;
}

}  // namespace pacenote
