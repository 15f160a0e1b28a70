// The transport alone, without tasks and samples: clients that send the same small search again and again;
// or, with a FILE, bulks as any driver must that takes the bytes in hand: READ bytes of the file's next, and
// MORE that stand for action lines, each read once from the page cache and copied once to the kernel. Nobody
// looks at them. At its end the file begins again. usage: bench_transport PORT CLIENTS REQUESTS [FILE READ
// MORE]
#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/input_file.hpp"
#include "core/transport_pool.hpp"

namespace {

using namespace pacenote;

Async<void> send(Transport& transport, const Request& request) {
  const Response response = co_await transport.send(request);
  if (!response.ok()) throw std::runtime_error(fmt::format("status {} {}", response.status, response.error));
}

Async<void> searches(Transport& transport, std::uint64_t requests) {
  const Request search(Method::get, "/a/_search", R"({"query":{"match_all":{}}})");
  for (std::uint64_t i = 0; i < requests; ++i) co_await send(transport, search);
}

/// What the clients that send bulks take from.
struct Corpus {
  Corpus(const char* path, std::size_t bytes_read, std::size_t bytes_more)
      : file(path), read(bytes_read), more(bytes_more), bulks(std::filesystem::file_size(path) / read) {}
  InputFile file;
  std::size_t read, more;
  std::uint64_t bulks, next = 0;
};

Async<void> bulks(Transport& transport, std::uint64_t requests, Corpus& corpus) {
  std::string body(corpus.read + corpus.more, ' ');
  for (std::uint64_t i = 0; i < requests; ++i) {
    const std::uint64_t offset = corpus.next++ % corpus.bulks * corpus.read;
    if (corpus.file.read_at(offset, body.data(), corpus.read) != corpus.read)
      throw std::runtime_error("the file has become shorter");
    const Request bulk(Method::put, "/_bulk", body, Media::ndjson);
    co_await send(transport, bulk);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 7) return 2;
  const auto clients = static_cast<std::uint32_t>(std::stoul(argv[2]));
  const std::uint64_t requests = std::stoull(argv[3]) / clients;
  std::unique_ptr<Corpus> corpus;
  if (argc == 7) corpus = std::make_unique<Corpus>(argv[4], std::stoul(argv[5]), std::stoul(argv[6]));
  Cluster cluster;
  cluster.hosts = {Host{"127.0.0.1", static_cast<std::uint16_t>(std::stoul(argv[1])), false, ""}};
  boost::asio::io_context context;
  TransportPool pool(context, cluster);
  std::vector<std::unique_ptr<Transport>> transports;
  for (std::uint32_t i = 0; i < clients; ++i) {
    transports.push_back(pool.make(i));
    auto work =
        corpus ? bulks(*transports.back(), requests, *corpus) : searches(*transports.back(), requests);
    boost::asio::co_spawn(context, std::move(work), [](const std::exception_ptr& error) {
      if (error) std::rethrow_exception(error);
    });
  }
  context.run();
}
