#include "cli/client_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/target.hpp"
#include "cli/values.hpp"
#include "core/error.hpp"
#include "core/suggest.hpp"

namespace pacenote::cli {
namespace {

struct Reading {
  ClientOptions options;
  bool use_ssl = false;
};

/// Values may be secrets: only the key is named.
[[noreturn]] void wrong(const std::string& key, std::string_view expected) {
  throw UserError(fmt::format("--client-options: {} must be {}", key, expected),
                  "texts that look like numbers stand in single quotes: k:'1'", ExitCode::usage);
}

bool flag(const std::string& key, const Json& value) {
  if (!value.is_boolean()) wrong(key, "true or false");
  return value.get<bool>();
}

std::string text(const std::string& key, const Json& value) {
  if (value.is_number_integer()) return value.dump();  // basic_auth_password:12345
  if (!value.is_string()) wrong(key, "a text");
  std::string out = value.get<std::string>();
  if (out.find_first_of("\r\n") != std::string::npos) wrong(key, "one line");
  return out;
}

std::uint32_t whole(const std::string& key, const Json& value, std::uint32_t most) {
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0 || value.get<std::int64_t>() > most)
    wrong(key, fmt::format("a whole number from 0 to {}", most));
  return value.get<std::uint32_t>();
}

Duration duration(const std::string& key, const Json& value) {
  double s = -1;
  if (value.is_number()) s = value.get<double>();
  if (value.is_string()) {  // timeout:'5' is common, and Rally's client takes it
    const Json read = to_dict("--client-options", fmt::format("s:{}", value.get<std::string>()));
    if (read.at("s").is_number()) s = read.at("s").get<double>();
  }
  if (!std::isfinite(s) || s <= 0 || s > 86400) wrong(key, "a number of seconds above 0, at most a day");
  return from_seconds(s);
}

std::vector<int> statuses(const std::string& key, const Json& value) {
  std::vector<int> out;
  const Json list = value.is_array() ? value : Json::array({value});
  for (const Json& status : list) {
    if (!status.is_number_integer() || status.get<int>() < 100 || status.get<int>() > 599)
      wrong(key, "a list of HTTP statuses");
    out.push_back(status.get<int>());
  }
  return out;
}

void headers(Reading& r, const std::string& key, const Json& value) {
  if (!value.is_object()) wrong(key, "an object (give the options as JSON)");
  for (const auto& [name, content] : value.items()) {
    const bool valid = !name.empty() && name.find_first_of(" \t\r\n:") == std::string::npos;
    if (!valid) wrong(key, "an object of header names");
    r.options.headers.emplace_back(name, text(key, content));
  }
}

using Setter = void (*)(Reading&, const std::string&, const Json&);
using K = const std::string;

const std::map<std::string, Setter>& setters() {
  static const std::map<std::string, Setter> all = {
      {"timeout", [](Reading& r, K& k, const Json& v) { r.options.timeout = duration(k, v); }},
      {"request_timeout", [](Reading& r, K& k, const Json& v) { r.options.timeout = duration(k, v); }},
      {"use_ssl", [](Reading& r, K& k, const Json& v) { r.use_ssl = flag(k, v); }},
      {"verify_certs", [](Reading& r, K& k, const Json& v) { r.options.verify_certs = flag(k, v); }},
      {"ca_certs", [](Reading& r, K& k, const Json& v) { r.options.ca_certs = text(k, v); }},
      {"client_cert", [](Reading& r, K& k, const Json& v) { r.options.client_cert = text(k, v); }},
      {"client_key", [](Reading& r, K& k, const Json& v) { r.options.client_key = text(k, v); }},
      {"basic_auth_user", [](Reading& r, K& k, const Json& v) { r.options.basic_auth_user = text(k, v); }},
      {"basic_auth_password",
       [](Reading& r, K& k, const Json& v) { r.options.basic_auth_password = text(k, v); }},
      {"api_key", [](Reading& r, K& k, const Json& v) { r.options.api_key = text(k, v); }},
      {"max_retries", [](Reading& r, K& k, const Json& v) { r.options.max_retries = whole(k, v, 1000); }},
      {"retry_on_status",
       [](Reading& r, K& k, const Json& v) { r.options.retry_on_status = statuses(k, v); }},
      {"retry_on_timeout", [](Reading& r, K& k, const Json& v) { r.options.retry_on_timeout = flag(k, v); }},
      {"http_compress", [](Reading& r, K& k, const Json& v) { r.options.http_compress = flag(k, v); }},
      {"compressed", [](Reading& r, K& k, const Json& v) { r.options.http_compress = flag(k, v); }},
      {"headers", [](Reading& r, K& k, const Json& v) { headers(r, k, v); }},
      {"opaque_id", [](Reading& r, K& k, const Json& v) { r.options.opaque_id = text(k, v); }},
      // Each client has a connection of its own and one request at a time, so no such limit is ever reached.
      {"max_connections", [](Reading&, K& k, const Json& v) { whole(k, v, 1'000'000); }},
      {"connections_per_node", [](Reading&, K& k, const Json& v) { whole(k, v, 1'000'000); }},
      // About how Python's client tidies up, and what it warns of.
      {"enable_cleanup_closed", [](Reading&, K& k, const Json& v) { flag(k, v); }},
      {"ssl_show_warn", [](Reading&, K& k, const Json& v) { flag(k, v); }},
  };
  return all;
}

/// Why not. A value of false asks for nothing, and is let through.
const std::map<std::string, std::string_view>& refused() {
  static const std::map<std::string, std::string_view> all = {
      {"create_api_key_per_client", "not yet: give one key for all clients as api_key"},
      {"static_responses", "`pacenote sandbox --null` answers at once instead"},
      {"bearer_auth", "not yet: give api_key or basic_auth_user and basic_auth_password"},
      {"basic_auth", "give basic_auth_user and basic_auth_password"},
      {"http_auth", "give basic_auth_user and basic_auth_password"},
      {"cloud_id", "give the cluster's address as --target-hosts"},
      {"amazon_aws_log_in", "not yet: requests are not signed"},
      {"ssl_version", "the newest version that both sides know is used"},
      {"ssl_assert_fingerprint", "not yet: give ca_certs"},
      {"ssl_assert_hostname", "not yet: verify_certs checks the name, too"},
      {"sniff_on_start", "hosts are those of --target-hosts only"},
      {"sniff_on_node_failure", "hosts are those of --target-hosts only"},
      {"sniff_before_requests", "hosts are those of --target-hosts only"},
  };
  return all;
}

[[noreturn]] void unknown(const std::string& key) {
  std::vector<std::string> known;
  for (const auto& [name, set] : setters()) known.push_back(name);
  const auto near = nearest(key, known);
  throw UserError(fmt::format("--client-options: unknown option [{}]", key),
                  near ? fmt::format("did you mean {}?", *near) : "`pacenote race --help` lists the options",
                  ExitCode::usage);
}

void check_together(const ClientOptions& o) {
  const auto both = [](bool one, bool other, std::string_view what) {
    if (one != other)
      throw UserError(fmt::format("--client-options: {} go together", what), "give both or none");
  };
  both(o.client_cert.empty(), o.client_key.empty(), "client_cert and client_key");
  both(o.basic_auth_user.empty(), o.basic_auth_password.empty(), "basic_auth_user and basic_auth_password");
  if (!o.basic_auth_user.empty() && !o.api_key.empty())
    throw UserError("--client-options: basic_auth_user and api_key exclude each other", "give one of them");
}

}  // namespace

bool is_client_option(const std::string& key) { return setters().contains(key) || refused().contains(key); }

Json parse_client_options(std::string_view given) {
  const Json json = to_object("--client-options", given);
  const std::size_t first = given.find_first_not_of(" \t\n");
  const bool as_json = first != std::string_view::npos && (given[first] == '{' || given.ends_with(".json"));
  if (as_json && !json.empty()) {
    const bool flat = std::any_of(json.items().begin(), json.items().end(), [](const auto& item) {
      return !item.value().is_object() || is_client_option(item.key());
    });
    return flat ? Json{{"default", json}} : json;
  }
  Json options = {{"timeout", 60}};
  options.update(json);
  return {{"default", options}};
}

ClientOptions client_options_from(const Json& options, bool& use_ssl) {
  if (!options.is_object())
    throw UserError("--client-options: the options of a cluster must be an object",
                    R"(write {"timeout": 60})", ExitCode::usage);
  Reading reading;
  for (const auto& [key, value] : options.items()) {
    const auto reason = refused().find(key);
    if (reason != refused().end()) {
      if (value.is_boolean() && !value.get<bool>()) continue;
      throw UserError(fmt::format("--client-options: {} is not supported", key), std::string(reason->second));
    }
    const auto setter = setters().find(key);
    if (setter == setters().end()) unknown(key);
    setter->second(reading, key, value);
  }
  check_together(reading.options);
  use_ssl = reading.use_ssl;
  return reading.options;
}

}  // namespace pacenote::cli
