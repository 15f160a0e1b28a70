// The real transport against the sandbox: what it keeps of an answer, and what it only counts.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "core/bulk_answer.hpp"
#include "core/sandbox/server.hpp"
#include "core/transport_pool.hpp"
#include "tests/support/catch.hpp"

using namespace pacenote;

namespace {

constexpr std::uint32_t kItems = 5000;

/// What came of one request; Response's views do not live as long.
struct Came {
  Failure failure = Failure::none;
  int status = 0;
  std::string body;
  std::uint64_t bytes_in = 0;
  bool reused = false;
};

struct Rig {
  explicit Rig(std::vector<std::string> faults = {}, bool tls = false) : server(options(faults, tls)) {
    cluster.hosts = {Host{"127.0.0.1", server.port(), tls, ""}};
    cluster.options.verify_certs = false;
    cluster.product = Product::elasticsearch;
    cluster.major = 8;
  }
  static sandbox::Options options(const std::vector<std::string>& faults, bool tls) {
    sandbox::Options options;
    options.null = faults.empty();
    options.full_items = true;
    options.null_bulk_items = kItems;
    options.faults = faults;
    options.tls = tls;
    return options;
  }
  static bool no_errors(std::string_view body) { return bulk_head(body).errors == false; }

  Async<void> ask(const std::vector<bool>& skips, std::vector<Came>& out) {
    TransportPool pool(context, cluster);
    const auto transport = pool.make();
    for (const bool skip : skips) {
      Request request(Method::post, "/_bulk", "{\"index\":{\"_index\":\"a\"}}\n{}\n", Media::ndjson);
      if (skip) request.enough = no_errors;
      if (held_up)
        boost::asio::post(context, [] { std::this_thread::sleep_for(std::chrono::milliseconds(80)); });
      const Response response = co_await transport->send(request);
      out.push_back({response.failure, response.status, std::string(response.body), response.bytes_in,
                     response.reused});
    }
  }
  std::vector<Came> ask_all(const std::vector<bool>& skips) {
    std::vector<Came> out;
    boost::asio::co_spawn(context, ask(skips, out),
                          [](const std::exception_ptr& error) { CHECK_FALSE(error); });
    context.run();
    return out;
  }
  sandbox::Server server;
  Cluster cluster;
  boost::asio::io_context context;
  /// The thread sleeps while an answer comes: that and the deadline sweep are due at once.
  bool held_up = false;
};

}  // namespace

TEST_CASE("the rest of a good answer is counted, not kept, and the connection goes on", "[transport]") {
  Rig rig;
  const std::vector<Came> came = rig.ask_all({false, true, true, false});
  REQUIRE(came.size() == 4);
  for (const Came& one : came) {
    CHECK(one.failure == Failure::none);
    CHECK(one.status == 200);
    CHECK(one.bytes_in == came[0].bytes_in);
    CHECK(one.reused == (&one != &came[0]));
  }
  CHECK(came[0].body.size() > kItems * 50);
  CHECK(came[3].body == came[0].body);
  CHECK(came[0].body.starts_with(came[1].body));
}

TEST_CASE("a first answer that is skipped does not grow the buffer", "[transport]") {
  Rig rig;
  const std::vector<Came> came = rig.ask_all({true});
  REQUIRE(came.size() == 1);
  CHECK(came[0].body.size() < 5000);
  CHECK(came[0].bytes_in > kItems * 50);
}

TEST_CASE("on TLS the whole answer is kept", "[transport]") {
  Rig rig({}, true);
  const std::vector<Came> came = rig.ask_all({true, true});
  REQUIRE(came.size() == 2);
  CHECK(came[1].failure == Failure::none);
  CHECK(came[1].body.size() > kItems * 50);
}

TEST_CASE("a failed answer leaves no view of bytes that are gone", "[transport]") {
  Rig rig({"path=/_bulk,gzip-bomb"});
  const std::vector<Came> came = rig.ask_all({false, true});
  REQUIRE(came.size() == 2);
  for (const Came& one : came) {
    CHECK(one.failure == Failure::protocol);
    CHECK(one.body.empty());
  }
}

TEST_CASE("an answer that is cut within what is skipped is a failure, one with an error is kept",
          "[transport]") {
  const std::string items(20'000, ' ');
  const std::string good = "body={\"took\":1,\"errors\":false,\"items\":[" + items + "]}";
  {
    Rig rig({"path=/_bulk,nth=2,truncate", "path=/_bulk," + good});
    const std::vector<Came> came = rig.ask_all({true, true, true});
    REQUIRE(came.size() == 3);
    CHECK(came[0].failure == Failure::none);
    CHECK(came[1].failure == Failure::protocol);
    CHECK(came[2].failure == Failure::none);
  }
  Rig rig({"path=/_bulk,status=503,body={\"errors\":false,\"items\":[" + items + "]}"});
  const std::vector<Came> came = rig.ask_all({true});
  REQUIRE(came.size() == 1);
  CHECK(came[0].status == 503);
  CHECK(came[0].body.size() > items.size());
}

TEST_CASE("a pool may go while its deadline sweep is due", "[transport]") {
  Rig rig;
  rig.held_up = true;
  // Under a sanitizer: nothing touches the pool after its end.
  CHECK(rig.ask_all({false, false}).size() == 2);
}
