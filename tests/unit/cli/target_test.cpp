#include "cli/target.hpp"

#include <fstream>

#include "cli/client_options.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"
#include "tests/unit/cli/vectors.hpp"

namespace pacenote::cli::target_test {

/// As Rally's parsed hosts look.
Json as_rally(const NamedHosts& named) {
  Json out = Json::object();
  for (const auto& [name, hosts] : named) {
    out[name] = Json::array();
    for (const GivenHost& host : hosts) {
      Json one = {{"host", host.name}};
      if (host.port) one["port"] = *host.port;
      if (host.tls) one["use_ssl"] = true;
      if (!host.path_prefix.empty()) one["url_prefix"] = host.path_prefix;
      if (!host.user.empty()) one["http_auth"] = host.user + ":" + host.password;
      out[name].push_back(one);
    }
  }
  return out;
}

/// Those of Rally's client options that a cluster of ours has, too.
Json as_rally(const Cluster& cluster) {
  const ClientOptions& o = cluster.options;
  Json options = {{"request_timeout", seconds(o.timeout)}};
  if (!o.basic_auth_user.empty()) options["basic_auth"] = {o.basic_auth_user, o.basic_auth_password};
  if (!o.api_key.empty()) options["api_key"] = o.api_key;
  if (o.http_compress) options["http_compress"] = true;
  if (!o.verify_certs) options["verify_certs"] = false;
  if (o.max_retries > 0) options["max_retries"] = o.max_retries;
  if (o.retry_on_timeout) options["retry_on_timeout"] = true;
  Json urls = Json::array();
  for (const Host& host : cluster.hosts)
    urls.push_back(
        fmt::format("{}://{}:{}{}", host.tls ? "https" : "http", host.name, host.port, host.path_prefix));
  return {{"urls", urls}, {"client_options", options}};
}

/// Of a vector with both flags what does not concern the size of Python's connection pool.
Json names_and_options(Json vector) {
  const Json result = vector.at("result");
  vector["result"] = {{"hosts", result.at("hosts")}, {"options", result.at("options")}};
  return vector;
}

/// `flag` is "--target-hosts HOSTS --client-options".
Json both(const std::string& flag, const std::string& options) {
  const std::string hosts = flag.substr(15, flag.rfind(" --client-options") - 15);
  make_target(hosts, options);
  Json names = Json::array();
  for (const auto& [name, list] : parse_target_hosts(hosts)) names.push_back(name);
  return {{"hosts", names}, {"options", parse_client_options(options)}};
}

std::string message_of(std::string_view hosts, std::string_view options) {
  try {
    make_target(hosts, options);
  } catch (const UserError& error) {
    return fmt::format("{} / {}", error.what(), error.hint());
  }
  return "no error";
}

TEST_CASE("target hosts and client options read as Rally reads them", "[target]") {
  const auto file = test::shared("rally/vectors/params/params.json");
  if (!file) return;
  const Json vectors = test::read_json(*file);
  test::VectorCount count(
      "params (hosts, client options)",
      {{"target-hosts-115", "a JSON list of hosts is as good as a comma list"},
       {"client-options-130", "a value may hold colons"},
       {"client-options-132", "options without a cluster's name are those of the one cluster"},
       {R"(target-hosts {"x": ["a:9200"], "y": ["b:9200"]} --client-options-135)",
        "several clusters are not there yet"},
       {R"(target-hosts {"x": ["a:9200"], "y": ["b:9200"]} --client-options-136)",
        "several clusters are not there yet"},
       {R"(target-hosts {"default": ["a:9200"], "y": ["b:9200"]} --client-options-137)",
        "several clusters are not there yet"}});
  for (const Json& vector : vectors.at("cases")) {
    const std::string flag = vector.at("flag"), given = vector.at("text");
    const bool is_file = vectors.at("files").contains(given);
    const std::string text = is_file ? vectors.at("files").at(given).get<std::string>() : given;
    if (flag == "--target-hosts")
      count.check(vector, [&] { return as_rally(parse_target_hosts(text)); });
    else if (flag == "--client-options")
      count.check(vector, [&] { return parse_client_options(text); });
    else if (flag.starts_with("--target-hosts "))
      count.check(names_and_options(vector), [&] { return both(flag, text); });
  }
}

TEST_CASE("hosts and options make the client that Rally makes", "[target]") {
  const auto file = test::shared("rally/vectors/params/client.json");
  if (!file) return;
  test::VectorCount count("client", {{"client-7", "each host's certificate is checked against that host"},
                                     {"client-9", "a user without a password is a mistake"},
                                     {"client-10", "userinfo in a URL is used"},
                                     {"client-16", "API keys per client are not there yet"}});
  const Json vectors = test::read_json(*file);
  for (const Json& vector : vectors.at("cases")) {
    Json expected = vector;
    if (vector.contains("result")) {
      Json options = vector.at("result").at("client_options");
      options.erase("ssl_show_warn");  // about Python's warnings
      expected["result"] = {{"urls", vector.at("result").at("urls")}, {"client_options", options}};
    }
    count.check(expected, [&] {
      return as_rally(
          make_target(vector.at("hosts").get<std::string>(), vector.at("options").get<std::string>()));
    });
  }
}

TEST_CASE("several clusters are refused, and other names than default", "[target]") {
  CHECK(message_of(R"({"a": ["h:1"], "b": ["h:2"]})", "").find("not supported yet: [a]") !=
        std::string::npos);
  CHECK(message_of("h:1", R"({"remote": {"timeout": 1}})").find("[remote]") != std::string::npos);
  CHECK(make_target(R"({"default": ["h:1"]})", R"({"default": {"timeout": 1}})").hosts.front().port == 1);
}

TEST_CASE("no hosts mean the local node", "[target]") {
  const Cluster cluster = make_target("", "");
  REQUIRE(cluster.hosts.size() == 1);
  CHECK(cluster.hosts.front().name == "127.0.0.1");
  CHECK(cluster.hosts.front().port == 9200);
  CHECK_FALSE(cluster.hosts.front().tls);
}

TEST_CASE("IPv6 stands in brackets, prefixes lose their last slash", "[target]") {
  const Cluster cluster = make_target("https://[::1]:9200/a/b/", "");
  CHECK(cluster.hosts.front().name == "::1");
  CHECK(cluster.hosts.front().path_prefix == "/a/b");
  CHECK(message_of("::1:9200", "").find("brackets") != std::string::npos);
}

TEST_CASE("a host without a port is named, its password is not", "[target]") {
  const std::string message = message_of("https://h:1,http://u:hunter2@elsewhere", "");
  CHECK(message.find("[elsewhere] has no port") != std::string::npos);
  CHECK(message.find("hunter2") == std::string::npos);
}

TEST_CASE("userinfo of a host is used unless the options have credentials", "[target]") {
  const Cluster given = make_target("https://u:p%40ss@h", "");
  CHECK(given.options.basic_auth_user == "u");
  CHECK(given.options.basic_auth_password == "p@ss");
  CHECK(make_target("u:p@h:1", "api_key:'k'").options.basic_auth_user.empty());
  CHECK(make_target("u:p@h:1", "basic_auth_user:'x',basic_auth_password:'y'").options.basic_auth_user == "x");
  CHECK(message_of("u:hunter2@h:1,u:hunter3@h:2", "").find("another user or password") != std::string::npos);
}

TEST_CASE("client options that are unknown, refused or wrong are named, not their values", "[target]") {
  CHECK(message_of("", "verify_cert:false").find("did you mean verify_certs?") != std::string::npos);
  CHECK(message_of("", "create_api_key_per_client:true").find("create_api_key_per_client") !=
        std::string::npos);
  CHECK(message_of("", "create_api_key_per_client:false") == "no error");
  CHECK(message_of("", "static_responses:'hunter2.txt'").find("static_responses") != std::string::npos);
  for (const char* wrong :
       {"timeout:hunter2", "timeout:None", "timeout:-1", "use_ssl:hunter2", "max_retries:hunter2",
        "basic_auth_password:true", "api_key:None", "retry_on_status:hunter2"}) {
    INFO(wrong);
    CHECK(message_of("", wrong).find("must be") != std::string::npos);
    CHECK(message_of("", wrong).find("hunter2") == std::string::npos);
  }
}

TEST_CASE("every client option of Rally's is known", "[target]") {
  for (const char* key : {"timeout",          "use_ssl",
                          "verify_certs",     "ca_certs",
                          "client_cert",      "client_key",
                          "basic_auth_user",  "basic_auth_password",
                          "api_key",          "create_api_key_per_client",
                          "http_compress",    "compressed",
                          "max_connections",  "enable_cleanup_closed",
                          "static_responses", "max_retries",
                          "retry_on_status",  "retry_on_timeout",
                          "headers",          "opaque_id"})
    CHECK(is_client_option(key));
}

TEST_CASE("options of a JSON object arrive", "[target]") {
  const Cluster cluster = make_target("h:1", R"({"timeout": "5", "max_retries": 2, "retry_on_status": [429],
      "headers": {"x-a": "b"}, "opaque_id": "me", "ca_certs": "/c/a:b.pem", "max_connections": 500})");
  CHECK(cluster.options.timeout == std::chrono::seconds(5));
  CHECK(cluster.options.max_retries == 2);
  CHECK(cluster.options.retry_on_status == std::vector<int>{429});
  CHECK(cluster.options.headers == Headers{{"x-a", "b"}});
  CHECK(cluster.options.opaque_id == "me");
  CHECK(cluster.options.ca_certs == "/c/a:b.pem");
}

}  // namespace pacenote::cli::target_test
