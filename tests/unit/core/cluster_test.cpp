#include "core/cluster.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/notes.hpp"
#include "tests/support/run.hpp"
#include "tests/support/scripted_transport.hpp"
#include "tests/support/shared.hpp"

namespace pacenote::cluster_test {

Notes& notes() {
  static test::KeptNotes kept;
  return kept;
}

using test::FakeClock;
using test::Reply;
using test::ScriptedTransport;

Reply answer(int status, const std::string& body, const std::string& head = {}) {
  Reply out;
  out.status = status;
  out.body = body;
  out.head = head;
  return out;
}

Cluster one_host(bool tls = false) {
  Cluster cluster;
  Host host;
  host.name = "search.example";
  host.tls = tls;
  cluster.hosts.push_back(host);
  return cluster;
}

/// Says what the real transport would say.
class Failing final : public Transport {
 public:
  Failing(FakeClock& clock, Failure failure, std::string error)
      : clock_(clock), failure_(failure), error_(std::move(error)) {}
  Async<Response> send(const Request&) override {
    ++asked;
    clock_.advance(std::chrono::milliseconds(1));
    Response response;
    response.failure = failure_;
    response.error = error_;
    co_return response;
  }
  int asked = 0;

 private:
  FakeClock& clock_;
  Failure failure_;
  std::string error_;
};

constexpr Duration kPatience = std::chrono::seconds(10);

UserError probe_error(Transport& transport, FakeClock& clock, const Cluster& cluster) {
  try {
    test::run(probe(transport, clock, cluster, kPatience, notes()));
  } catch (const UserError& error) {
    return error;
  }
  FAIL("the probe ended well");
  return UserError("", "");
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

ClusterInfo info_from(const std::string& body, const std::string& head = {}) {
  FakeClock clock;
  ScriptedTransport transport(clock);
  transport.otherwise = answer(200, body, head);
  return test::run(probe(transport, clock, one_host(), kPatience, notes()));
}

TEST_CASE("a host's URL has brackets around IPv6 and no credentials", "[cluster]") {
  Host host;
  host.name = "::1";
  host.port = 9201;
  host.path_prefix = "/x";
  CHECK(host.url() == "http://[::1]:9201/x");
  host.name = "a";
  host.tls = true;
  CHECK(host.url() == "https://a:9201/x");
}

TEST_CASE("media types follow product and major version", "[cluster]") {
  Cluster cluster = one_host();
  CHECK(media_type(Media::none, cluster).empty());
  CHECK(media_type(Media::json, cluster) == "application/json");
  cluster.product = Product::elasticsearch;
  cluster.major = 7;
  CHECK(media_type(Media::ndjson, cluster) == "application/x-ndjson");
  const auto [major, expected] = GENERATE(table<int, int>({{8, 8}, {9, 9}, {10, 8}}));
  cluster.major = major;
  CHECK(media_type(Media::json, cluster) ==
        fmt::format("application/vnd.elasticsearch+json; compatible-with={}", expected));
  CHECK(media_type(Media::ndjson, cluster) ==
        fmt::format("application/vnd.elasticsearch+x-ndjson; compatible-with={}", expected));
  cluster.product = Product::opensearch;
  CHECK(media_type(Media::json, cluster) == "application/json");
}

TEST_CASE("the probe understands what real products say of themselves", "[cluster]") {
  struct Known {
    const char *folder, *version, *flavor;
    Product product;
    int major;
  };
  const auto known =
      GENERATE(values<Known>({{"opensearch-2.19.6", "2.19.6", "oss", Product::opensearch, 2},
                              {"elasticsearch-7.10.2", "7.10.2", "oss", Product::elasticsearch, 7},
                              {"elasticsearch-7.17.28", "7.17.28", "oss", Product::elasticsearch, 7},
                              {"elasticsearch-2.4.1", "2.4.1", "oss", Product::elasticsearch, 2}}));
  const auto path = test::shared(fmt::format("captures/{}/root.json", known.folder));
  if (!path) return;
  const ClusterInfo info = info_from(test::read_file(*path));
  CHECK(info.version == known.version);
  CHECK(info.flavor == known.flavor);
  CHECK(info.product == known.product);
  CHECK(info.major == known.major);
  CHECK(info.name == "bench");
  CHECK_FALSE(info.uuid.empty());
  CHECK_FALSE(info.revision.empty());
  CHECK_FALSE(info.sandbox);
  CHECK(info.platform == "on-prem");
}

TEST_CASE("headers tell the sandbox and a hosted cluster", "[cluster]") {
  const std::string body = R"({"cluster_name":"c","version":{"number":"8.15.0","build_flavor":"default"},)"
                           R"("tagline":"You Know, for Search"})";
  CHECK(info_from(body, "X-Pacenote-Sandbox: 1\r\n").sandbox);
  CHECK(info_from(body, "x-found-handling-cluster: abc\r\n").platform == "hosted");
  CHECK(info_from(body).flavor == "default");
}

TEST_CASE("a cluster that is still starting is waited for", "[cluster]") {
  FakeClock clock;
  ScriptedTransport transport(clock);
  transport.script.push_back(Reply{0, "", "", Failure::connection});
  transport.script.push_back(answer(503, "{}"));
  transport.script.push_back(answer(408, "{}"));
  transport.otherwise = answer(200, R"({"version":{"number":"7.10.2"},"tagline":"You Know, for Search"})");
  const ClusterInfo info = test::run(probe(transport, clock, one_host(), kPatience, notes()));
  CHECK(info.version == "7.10.2");
  CHECK(transport.asked.size() == 4);
  CHECK(clock.sleeps() == std::vector<Duration>(3, std::chrono::milliseconds(500)));
}

TEST_CASE("each failed probe names the URL and what to do", "[cluster]") {
  struct Case {
    bool tls;
    Failure failure;
    std::string error, message, hint;
    bool waits;
  };
  const auto c = GENERATE(values<Case>({
      {false, Failure::connection, "cannot connect to http://search.example:9200: Connection refused",
       "connection refused", "running", true},
      {false, Failure::connection, "unknown host search.example: Host not found (authoritative)",
       "Unknown host name", "--target-hosts", false},
      {false, Failure::connection, "cannot connect to http://search.example:9200: No route to host",
       "No route", "network", false},
      {false, Failure::timeout, "timed out", "No answer", "timeout", false},
      {true, Failure::tls, "wrong version number", "No TLS", "http://", false},
      {true, Failure::tls, "certificate verify failed", "not trusted", "ca_certs", false},
      {false, Failure::protocol, "bad version", "does not answer in HTTP", "use_ssl:true", false},
      {false, Failure::connection, "end of stream", "without an answer", "use_ssl:true", true},
  }));
  FakeClock clock;
  const Instant start = clock.now();
  Failing transport(clock, c.failure, c.error);
  const UserError error = probe_error(transport, clock, one_host(c.tls));
  CAPTURE(error.what(), error.hint());
  CHECK(has(error.what(), c.tls ? "https://search.example:9200" : "http://search.example:9200"));
  CHECK(has(error.what(), c.message));
  CHECK(has(error.hint(), c.hint));
  CHECK((transport.asked > 1) == c.waits);
  CHECK(clock.now() - start <= kPatience);
}

TEST_CASE("each unfit answer to the probe names the URL and what to do", "[cluster]") {
  struct Case {
    int status;
    std::string body, head, message, hint;
  };
  const auto c = GENERATE(values<Case>({
      {401, "", "", "wants credentials", "basic_auth_user"},
      {403, "", "", "403", "privilege"},
      {400, "The plain HTTP request was sent to HTTPS port", "", "wants TLS", "https://"},
      {301, "", "Location: https://search.example/\r\n", "wants TLS", "use_ssl:true"},
      {404, "nothing", "", "status 404", "--target-hosts"},
      {200, "<html>", "", "no Elasticsearch or OpenSearch", "port"},
      {200, "[1]", "", "no Elasticsearch or OpenSearch", "port"},
      {200, R"({"version":"9"})", "", "no Elasticsearch or OpenSearch", "port"},
      {503, "", "", "not ready", "log"},
  }));
  FakeClock clock;
  ScriptedTransport transport(clock);
  transport.otherwise = answer(c.status, c.body, c.head);
  const UserError error = probe_error(transport, clock, one_host());
  CAPTURE(error.what(), error.hint());
  CHECK(has(error.what(), "http://search.example:9200"));
  CHECK(has(error.what(), c.message));
  CHECK(has(error.hint(), c.hint));
}

TEST_CASE("an interrupted probe ends as an interruption", "[cluster]") {
  FakeClock clock;
  Failing transport(clock, Failure::interrupted, "interrupted");
  CHECK(probe_error(transport, clock, one_host()).code() == ExitCode::interrupted);
}

TEST_CASE("no message of the probe holds a secret", "[cluster]") {
  Cluster cluster = one_host();
  cluster.options.basic_auth_user = "rally";
  cluster.options.basic_auth_password = "hush-hush";
  FakeClock clock;
  ScriptedTransport transport(clock);
  transport.otherwise = answer(401, "hush-hush");
  const UserError error = probe_error(transport, clock, cluster);
  CHECK(has(error.what(), "does not accept these credentials"));
  CHECK_FALSE(has(error.what() + error.hint(), "hush-hush"));
}

}  // namespace pacenote::cluster_test
