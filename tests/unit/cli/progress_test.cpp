#include "cli/progress.hpp"

#include "tests/support/catch.hpp"

namespace pacenote::cli::progress_test {

constexpr Instant kStart{std::chrono::hours(1)};

Instant after(double s) { return kStart + from_seconds(s); }

TEST_CASE("a task shows percent, rate and failures", "[progress]") {
  TaskProgress progress;
  progress.unit = "docs";
  progress.fraction = 0.429;
  Meter meter({"index-append", &progress}, kStart);
  CHECK(meter.line(after(1), 70) == "index-append                 [ 42% done]");
  progress.amount = 81234;
  progress.failed = 3;
  CHECK(meter.line(after(2), 70) == "index-append                 [ 42% done]  81,234 docs/s  3 failed");
  CHECK(meter.short_line(after(2)) == "index-append 42% 81,234 docs/s");
}

TEST_CASE("the rate is that of the last seconds, at the end that of the task", "[progress]") {
  TaskProgress progress;
  Meter meter({"q", &progress}, kStart);
  for (int s = 1; s <= 20; ++s) {
    progress.amount = s <= 10 ? s * 100.0 : 1000;
    meter.line(after(s), 70);
  }
  progress.requests = 1000;
  CHECK(meter.line(after(21), 70).find("/s") == std::string::npos);
  CHECK(meter.line(after(22), 70).find("[1,000 requests]") != std::string::npos);
  CHECK(meter.last_line(after(20), 70, true).find("[100% done]  50 ops/s") != std::string::npos);
}

TEST_CASE("a task that ends before others beside it has its own rate", "[progress]") {
  TaskProgress progress;
  progress.requests = 1000;
  progress.amount = 1000;
  progress.last = after(5);
  const Meter meter({"q", &progress}, kStart);
  CHECK(meter.last_line(after(20), 70, true).find("  200 ops/s") != std::string::npos);
}

TEST_CASE("what is not finished is not said to be 100 % done", "[progress]") {
  TaskProgress progress;
  progress.fraction = 0.9999;
  const Meter meter({"q", &progress}, kStart);
  CHECK(meter.last_line(after(1), 70, false).find("[ 99% done]") != std::string::npos);
}

TEST_CASE("lines keep to their width", "[progress]") {
  TaskProgress progress;
  progress.amount = 5;
  Meter meter({std::string(200, 'x'), &progress}, kStart);
  CHECK(meter.line(after(1), 80).size() <= 80);
  CHECK(meter.line(after(2), 30).size() <= 30);
  CHECK(clipped("ab\xC3\xA4\xC3\xA4", 5) == "ab...");
  CHECK(clipped("a\xC3\xA4\xC3\xA4"
                "b",
                5) == "a...");
}

}  // namespace pacenote::cli::progress_test
