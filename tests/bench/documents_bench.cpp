// Documents per CPU-second that the reader turns into bulk bodies, beside the same bytes copied without
// looking at them. Usage: documents_bench [documents, 1000000]
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>

#include "core/documents.hpp"
#include "tests/support/corpus_file.hpp"

namespace pacenote {
namespace {

constexpr std::uint64_t kBulkSize = 5000;
constexpr std::size_t kPiece = std::size_t{256} << 10;
const std::string kAction = "{\"index\": {\"_index\": \"logs-181998\"}}\n";

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void write_corpus(const std::filesystem::path& path, std::uint64_t documents) {
  std::ofstream out(path, std::ios::binary);
  for (std::uint64_t i = 0; i < documents; ++i)
    out << fmt::format(
        "{{\"@timestamp\": {}, \"clientip\":\"{}.{}.0.0\", \"request\": \"GET /images/{}.gif HTTP/1.0\", "
        "\"status\": 200, \"size\": {}}}\n",
        893964617 + i, i % 256, i % 251, i % 7919, i % 30011);
}

/// One body after the other into the same buffer; the bytes of all of them.
template <class Fill>
void measure(const char* what, std::uint64_t documents, Fill fill) {
  std::string body;
  std::uint64_t bytes = 0;
  const double start = cpu_seconds();
  for (std::uint64_t done = 0; done < documents; done += kBulkSize) {
    body.clear();
    fill(body);
    bytes += body.size();
  }
  const double took = cpu_seconds() - start;
  fmt::print("{:<34} {:>12.0f} documents per CPU-second, {:>5.2f} GB/s\n", what,
             static_cast<double>(documents) / took, static_cast<double>(bytes) / took / 1e9);
}

/// As many bytes per body as the bodies have on average, action lines included.
void measure_copy(const test::CorpusFile& file, std::uint64_t documents) {
  const InputFile input(file.path());
  const auto buffer = std::make_unique<char[]>(kPiece);
  const std::uint64_t size = std::filesystem::file_size(file.path());
  const std::uint64_t per_body = (size / documents + kAction.size()) * kBulkSize;
  std::uint64_t offset = 0;
  measure("pread and memcpy alone", documents, [&](std::string& body) {
    while (body.size() < per_body) {
      const std::size_t got = input.read_at(offset, buffer.get(), kPiece);
      offset = got == 0 ? 0 : offset + got;
      body.append(buffer.get(), std::min<std::uint64_t>(got, per_body - body.size()));
    }
  });
}

void run(std::uint64_t documents) {
  const test::CorpusFile file("");
  write_corpus(file.path(), documents);
  for (int round = 0; round < 3; ++round) {
    measure_copy(file, documents);
    LineReader with_action(file.path(), 0);
    measure("action line before each document", documents,
            [&](std::string& body) { with_action.take(body, kAction, kBulkSize); });
    LineReader as_is(file.path(), 0);
    measure("lines as they are", documents, [&](std::string& body) { as_is.take(body, kBulkSize); });
  }
  const double start = cpu_seconds();
  const std::uint64_t lines = count_lines(file.path());
  fmt::print("{:<34} {:>12.0f} documents per CPU-second\n", "counting lines",
             static_cast<double>(lines) / (cpu_seconds() - start));
}

}  // namespace
}  // namespace pacenote

int main(int argc, char** argv) {
  const std::uint64_t documents = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  pacenote::run(documents / pacenote::kBulkSize * pacenote::kBulkSize);
}
