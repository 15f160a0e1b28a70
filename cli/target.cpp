#include "cli/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "cli/client_options.hpp"
#include "cli/values.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace pacenote::cli {
namespace {

constexpr std::string_view kHosts = "--target-hosts";

[[noreturn]] void wrong(std::string_view host, std::string_view what) {
  throw UserError(fmt::format("{}: host [{}] {}", kHosts, host, what),
                  "write HOST:PORT, https://HOST:PORT/prefix or http://[::1]:PORT", ExitCode::usage);
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::uint16_t port_of(std::string_view text, std::string_view host) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port == 0)
    wrong(host, "needs a port from 1 to 65535");
  return port;
}

/// Takes "user:password@" off `rest`.
void take_userinfo(GivenHost& host, std::string_view& rest) {
  const std::size_t at = rest.rfind('@');
  if (at == std::string_view::npos) return;
  const std::string_view info = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  const std::size_t colon = info.find(':');
  if (colon == std::string_view::npos) wrong(rest, "has a user without a password");
  host.user = percent_decoded(info.substr(0, colon));
  host.password = percent_decoded(info.substr(colon + 1));
}

/// `authority` is name[:port], with an IPv6 address in brackets.
void read_authority(GivenHost& host, std::string_view authority) {
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos) wrong(authority, "has no closing bracket");
    host.name = lower_case(authority.substr(1, close - 1));
    port = authority.substr(close + 1);
  } else {
    const std::size_t colon = std::min(authority.find(':'), authority.size());
    host.name = lower_case(authority.substr(0, colon));
    port = authority.substr(colon);
    if (port.rfind(':') != 0 && !port.empty()) wrong(authority, "looks like IPv6, which stands in brackets");
  }
  if (host.name.empty() || host.name.find_first_of(" \t\"'{}") != std::string::npos)
    wrong(authority, "has no valid name");
  if (!port.empty() && port.front() != ':') wrong(authority, "has something between name and port");
  if (!port.empty()) host.port = port_of(port.substr(1), authority);
}

GivenHost parse_host(std::string_view text) {
  GivenHost host;
  std::string_view rest = text;
  if (const std::size_t scheme = text.find("://"); scheme != std::string_view::npos) {
    const std::string name = lower_case(text.substr(0, scheme));
    rest.remove_prefix(scheme + 3);
    if (name != "http" && name != "https")
      wrong(rest.substr(rest.find('@') + 1), "is neither http nor https");
    host.tls = name == "https";
  }
  rest = rest.substr(0, rest.find_first_of("?#"));
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  if (rest.size() - slash > 1) host.path_prefix = rest.substr(slash);
  std::string_view authority = rest.substr(0, slash);
  take_userinfo(host, authority);
  read_authority(host, authority);
  if (host.tls && !host.port) host.port = std::uint16_t{443};
  return host;
}

/// A host given as an object, as Rally's Python client takes it.
GivenHost host_from(const Json& json) {
  GivenHost host;
  for (const auto& [key, value] : json.items()) {
    if (key == "host" && value.is_string())
      host.name = lower_case(value.get<std::string>());
    else if (key == "port" && value.is_number_unsigned() && value.get<std::uint64_t>() - 1 < 65535)
      host.port = value.get<std::uint16_t>();
    else if (key == "use_ssl" && value.is_boolean())
      host.tls = value.get<bool>();
    else if (key == "url_prefix" && value.is_string())
      host.path_prefix = value.get<std::string>();
    else
      wrong(json.value("host", "?"), fmt::format("has a key [{}] that is unknown or of the wrong type", key));
  }
  if (host.name.empty()) wrong("?", "has no key [host]");
  return host;
}

std::vector<GivenHost> hosts_from(const Json& json) {
  std::vector<GivenHost> out;
  if (json.is_string()) {
    for (const std::string& host : comma_list(json.get<std::string>())) out.push_back(parse_host(host));
  } else if (json.is_array()) {
    for (const Json& host : json) {
      if (host.is_object())
        out.push_back(host_from(host));
      else if (host.is_string())
        out.push_back(parse_host(host.get<std::string>()));
      else
        wrong(host.dump(), "is neither a text nor an object");
    }
  } else {
    wrong(json.type_name(), "is neither a text nor a list of hosts");
  }
  return out;
}

const std::vector<GivenHost> kLocal = {{"127.0.0.1", std::uint16_t{9200}, false, "", "", ""}};

std::vector<GivenHost> only_cluster(const NamedHosts& named) {
  for (const auto& [name, hosts] : named)
    if (name != "default")
      throw UserError(fmt::format("{}: several or named clusters are not supported yet: [{}]", kHosts, name),
                      "race against one cluster, without a name or named default");
  return named.empty() || named.front().second.empty() ? kLocal : named.front().second;
}

Host finished(const GivenHost& given, bool use_ssl) {
  Host host;
  host.name = given.name;
  host.tls = given.tls || use_ssl;
  const std::string shown =
      given.name.find(':') == std::string::npos ? given.name : fmt::format("[{}]", given.name);
  if (!given.port) wrong(shown, "has no port");
  host.port = *given.port;
  host.path_prefix = given.path_prefix;
  while (host.path_prefix.ends_with('/')) host.path_prefix.pop_back();
  if (!host.path_prefix.empty() && host.path_prefix.front() != '/') host.path_prefix.insert(0, "/");
  return host;
}

/// Other than Rally, which drops it, user and password in a host's URL count where the options have none.
void use_userinfo(ClientOptions& options, const std::vector<GivenHost>& hosts) {
  if (!options.basic_auth_user.empty() || !options.api_key.empty()) return;
  for (const GivenHost& host : hosts) {
    if (host.user.empty()) continue;
    const bool differs = !options.basic_auth_user.empty() && (options.basic_auth_user != host.user ||
                                                              options.basic_auth_password != host.password);
    if (differs) wrong(host.name, "has another user or password than the host before");
    options.basic_auth_user = host.user;
    options.basic_auth_password = host.password;
  }
}

/// "[" alone may also begin an IPv6 address.
bool looks_like_json(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t\n"), text.size());
  if (text.substr(first).starts_with('{')) return true;
  const std::size_t second = text.find_first_not_of(" \t\n", first + 1);
  return text.substr(first).starts_with('[') && second != std::string_view::npos &&
         std::string_view("\"{]").find(text[second]) != std::string_view::npos;
}

}  // namespace

NamedHosts parse_target_hosts(std::string_view text) {
  NamedHosts out;
  if (!looks_like_json(text) && !text.ends_with(".json")) {
    out.emplace_back("default", hosts_from(std::string(text)));
    return out;
  }
  const Json given = to_dict(kHosts, text);
  if (!given.is_object()) {
    out.emplace_back("default", hosts_from(given));
    return out;
  }
  for (const auto& [name, hosts] : given.items()) out.emplace_back(name, hosts_from(hosts));
  return out;
}

Cluster make_target(std::string_view target_hosts, std::string_view client_options) {
  const std::vector<GivenHost> hosts = only_cluster(parse_target_hosts(target_hosts));
  const Json named = parse_client_options(client_options);
  for (const auto& [name, options] : named.items())
    if (name != "default")
      throw UserError(fmt::format("--client-options: there is no cluster [{}]", name),
                      "the options of the one cluster stand without a name or under default");
  Cluster cluster;
  bool use_ssl = false;
  if (named.contains("default")) cluster.options = client_options_from(named.at("default"), use_ssl);
  for (const GivenHost& host : hosts) cluster.hosts.push_back(finished(host, use_ssl));
  use_userinfo(cluster.options, hosts);
  return cluster;
}

}  // namespace pacenote::cli
