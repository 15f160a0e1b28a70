// The transport alone: clients that send the same small search again and again, without tasks and samples.
// usage: bench_transport PORT CLIENTS REQUESTS
#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>
#include <vector>

#include "core/beast_transport.hpp"

namespace {

using namespace pacenote;

Async<void> client(Transport& transport, std::uint64_t requests) {
  const Request search(Method::get, "/a/_search", R"({"query":{"match_all":{}}})");
  for (std::uint64_t i = 0; i < requests; ++i) {
    const Response response = co_await transport.send(search);
    if (!response.ok())
      throw std::runtime_error(fmt::format("status {} {}", response.status, response.error));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const auto clients = static_cast<std::uint32_t>(std::stoul(argv[2]));
  const std::uint64_t requests = std::stoull(argv[3]) / clients;
  Cluster cluster;
  cluster.hosts = {Host{"127.0.0.1", static_cast<std::uint16_t>(std::stoul(argv[1])), false, ""}};
  boost::asio::io_context context;
  TransportPool pool(context, cluster);
  std::vector<std::unique_ptr<Transport>> transports;
  for (std::uint32_t i = 0; i < clients; ++i) {
    transports.push_back(pool.make(i));
    boost::asio::co_spawn(context, client(*transports.back(), requests), [](const std::exception_ptr& error) {
      if (error) std::rethrow_exception(error);
    });
  }
  context.run();
}
