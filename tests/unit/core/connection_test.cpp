#include "core/connection.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <csignal>
#include <thread>

#include "tests/support/catch.hpp"
#include "tests/support/corpus_file.hpp"

namespace pacenote::connection_test {

/// What a write came to.
struct Written {
  NetError error;
  bool changed = false, ended = false;
};

Async<void> write(Connection& connection, std::string_view head, FileSlice slice, Written& out) {
  out.error = co_await connection.write(head, slice, out.changed);
  out.ended = true;
}

/// A connection to a peer of the test's own, whose socket takes little at a time.
struct Pair {
  Pair() : connection(context) {
    std::signal(SIGPIPE, SIG_IGN);  // as the program does
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    const int little = 20'000;
    ::setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &little, sizeof little);
    connection.socket.assign(boost::asio::ip::tcp::v4(), ends[0]);
    peer = ends[1];
  }
  ~Pair() { hang_up(); }
  void hang_up() {
    if (peer >= 0) ::close(peer);
    peer = -1;
  }
  /// Sends while the peer reads up to `most` bytes and then hangs up.
  Written send(std::string_view head, const FileSlice& slice, std::size_t most, std::string& got) {
    Written out;
    boost::asio::co_spawn(context, write(connection, head, slice, out),
                          [](const std::exception_ptr& error) { CHECK_FALSE(error); });
    std::thread reader([&] {
      char some[5000];
      while (got.size() < most) {
        const ssize_t size = ::read(peer, some, std::min(sizeof some, most - got.size()));
        if (size <= 0) break;
        got.append(some, static_cast<std::size_t>(size));
      }
      if (got.size() == most) hang_up();
    });
    context.run();
    connection.close();
    reader.join();
    return out;
  }
  boost::asio::io_context context;
  Connection connection;
  int peer = -1;
};

std::string numbers() {
  std::string out;
  for (int n = 0; n < 100'000; ++n) out += std::to_string(n);
  return out;
}

TEST_CASE("a slice of a file arrives behind its head, however little the kernel takes", "[connection]") {
  const std::string content = numbers(), head(30'000, 'h');
  const test::CorpusFile file(content);
  const FileSlice slice{std::make_shared<InputFile>(file.path()), 12'345, 400'000, 1, {}};
  Pair pair;
  std::string got;
  const Written written = pair.send(head, slice, std::string::npos, got);
  CHECK(written.ended);
  CHECK_FALSE(written.error);
  CHECK_FALSE(written.changed);
  CHECK(got == head + content.substr(12'345, 400'000));
}

/// 400,000 bytes as they are, or of which a line is put before each.
FileSlice whole_slice(const test::CorpusFile& file, bool prefixed) {
  if (!prefixed) return {std::make_shared<InputFile>(file.path()), 0, 400'000, 1, {}};
  return {std::make_shared<InputFile>(file.path()), 0, 400'000, 4'000, "{\"index\":{}}\n"};
}

std::string hundred_byte_lines() {
  std::string out;
  for (int n = 0; n < 4'000; ++n) out += fmt::format("{:099}\n", n);
  return out;
}

TEST_CASE("what is put before each line arrives before it, however little the kernel takes", "[connection]") {
  const test::CorpusFile file(hundred_byte_lines());
  const FileSlice slice = whole_slice(file, true);
  const std::string head(30'000, 'h');
  std::string text, got;
  slice.read(text);
  Pair pair;
  const Written written = pair.send(head, slice, std::string::npos, got);
  CHECK(written.ended);
  CHECK_FALSE(written.error);
  CHECK_FALSE(written.changed);
  CHECK(got == head + text);
}

TEST_CASE("a peer that hangs up after n bytes is an error at each n", "[connection]") {
  const bool prefixed = GENERATE(false, true);
  const test::CorpusFile file(hundred_byte_lines());
  const FileSlice slice = whole_slice(file, prefixed);
  for (const std::size_t most : {0UL, 1UL, 99UL, 100UL, 101UL, 10'000UL, 200'000UL}) {
    Pair pair;
    if (most == 0) pair.hang_up();
    std::string got;
    const Written written = pair.send(std::string(100, 'h'), slice, most, got);
    CHECK(written.ended);
    CHECK(written.error);
    CHECK_FALSE(written.changed);
    CHECK(got.size() == most);
  }
}

TEST_CASE("a file that was cut ends the sending, wherever it was cut", "[connection]") {
  const std::string content = hundred_byte_lines();
  const test::CorpusFile file(content);
  FileSlice slice{std::make_shared<InputFile>(file.path()), 100'000, 300'000, 3'000, {}};
  if (GENERATE(false, true)) slice.prefix = "{\"index\":{}}\n";
  for (const std::size_t left : {0UL, 50'000UL, 100'000UL, 100'001UL, 250'000UL, 399'899UL}) {
    std::filesystem::resize_file(file.path(), left);
    Pair pair;
    std::string got;
    const Written written = pair.send("head", slice, std::string::npos, got);
    CHECK(written.ended);
    CHECK(written.changed);
    CHECK(got.size() < 4 + slice.text_size());
    if (slice.prefix.empty()) CHECK(got.size() == 4 + (left > 100'000 ? left - 100'000 : 0));
    file.write(content);
  }
}

}  // namespace pacenote::connection_test
