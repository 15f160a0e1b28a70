#include "cli/console.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "tests/support/catch.hpp"

namespace pacenote::cli::console_test {

/// A pipe whose one end the console writes to.
class Pipe {
 public:
  Pipe() { REQUIRE(pipe(ends_.data()) == 0); }
  ~Pipe() {
    close(ends_[0]);
    close(ends_[1]);
  }
  int in() const { return ends_[1]; }
  ConsoleOptions options() const {
    ConsoleOptions out;
    out.fd = in();
    return out;
  }
  /// What is in it; does not wait.
  std::string text() const {
    fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    std::string out;
    std::array<char, 4096> buffer{};
    for (ssize_t got = 0; (got = read(ends_[0], buffer.data(), buffer.size())) > 0;)
      out.append(buffer.data(), static_cast<std::size_t>(got));
    return out;
  }
  /// Nobody reads: the next write would wait.
  void fill() const {
    const int flags = fcntl(in(), F_GETFL);
    fcntl(in(), F_SETFL, flags | O_NONBLOCK);
    const std::string much(4096, '.');
    while (write(in(), much.data(), much.size()) > 0) {
    }
    while (write(in(), ".", 1) > 0) {
    }
    fcntl(in(), F_SETFL, flags);
  }

 private:
  std::array<int, 2> ends_{};
};

Outcome failure(std::string text) {
  Outcome out;
  out.ok = false;
  out.status = 500;
  out.error_type = "api";
  out.error = std::move(text);
  return out;
}

TEST_CASE("without a terminal each finished task is a line, without control characters", "[console]") {
  const Pipe pipe;
  TaskProgress progress;
  progress.fraction = 0.3;
  {
    Console console(pipe.options());
    console.info("Race id is [x].");
    console.warning("unclean");
    console.step_begins({{"index-append", &progress}});
    console.failed("index-append", failure("boom"));
    console.failed("index-append", failure("boom"));
    progress.fraction = 1;
    console.step_ends();
  }
  const std::string text = pipe.text();
  INFO(text);
  CHECK(
      text.starts_with("[INFO] Race id is [x].\n[WARNING] unclean\n[ERROR] index-append: api 500: boom\n"
                       "Running index-append "));
  CHECK(text.find("[100% done]") != std::string::npos);
  CHECK(text.ends_with("\n[ERROR] index-append: 2 times api 500: boom\n"));
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\r') == std::string::npos);
}

TEST_CASE("on a terminal progress is rewritten in place, and gone before the table", "[console]") {
  const Pipe pipe;
  TaskProgress progress;
  progress.fraction = 0.42;
  ConsoleOptions options = pipe.options();
  options.rewrite = true;
  Console console(options);
  console.step_begins({{"index-append", &progress}});
  console.warning("slow");
  console.flush();
  console.step_ends();
  console.finish();
  const std::string text = pipe.text();
  INFO(text);
  CHECK(text.find("[WARNING] slow\n\rRunning index-append") != std::string::npos);
  CHECK(text.find("[ 42% done]") != std::string::npos);
  CHECK(text.find("\r\x1b[KRunning index-append") != std::string::npos);
  CHECK(text.ends_with("\n"));
}

TEST_CASE("a step that was cut short keeps its percentage", "[console]") {
  const Pipe pipe;
  TaskProgress progress;
  progress.fraction = 0.42;
  Console console(pipe.options());
  console.step_begins({{"q", &progress}});
  console.step_ends(false);
  console.finish();
  CHECK(pipe.text().find("[ 42% done]") != std::string::npos);
}

TEST_CASE("quiet shows errors only", "[console]") {
  const Pipe pipe;
  TaskProgress progress;
  ConsoleOptions options = pipe.options();
  options.quiet = true;
  Console console(options);
  console.info("a");
  console.warning("b");
  console.preparing("c", 1, 2, "docs");
  console.step_begins({{"q", &progress}});
  console.failed("q", failure("boom"));
  console.step_ends();
  console.finish();
  CHECK(pipe.text() == "[ERROR] q: api 500: boom\n");
}

TEST_CASE("a terminal that does not drain holds up nobody", "[console]") {
  const Pipe pipe;
  pipe.fill();
  ConsoleOptions options = pipe.options();
  options.patience = std::chrono::milliseconds(20);
  Console console(options);
  const Instant before = std::chrono::steady_clock::now();
  for (int i = 0; i < 5000; ++i) console.info("line");
  console.finish();
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(1));
  console.info("after the end");
}

TEST_CASE("a console whose other end is closed goes on", "[console]") {
  std::array<int, 2> ends{};
  REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0);
  ConsoleOptions options;
  options.fd = ends[1];
  close(ends[1]);
  close(ends[0]);
  Console console(options);
  console.info("nobody hears this");
  console.finish();
}

}  // namespace pacenote::cli::console_test
