#include "core/sandbox/faults.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::sandbox::faults_test {

using namespace std::chrono_literals;

const Instant kStart = Instant(1000s);

/// Which of `count` requests, one every `gap`, the fault meets.
std::vector<int> met(const std::string& spec, int count, Duration gap = 1ms) {
  FaultPlan plan({parse_fault(spec)}, kStart);
  std::vector<int> out;
  for (int i = 1; i <= count; ++i) {
    const Effect effect = plan.next("POST", "/logs/_bulk", kStart + i * gap);
    if (effect.kind != FaultKind::none || effect.delay.count() > 0 || effect.not_before != Instant())
      out.push_back(i);
  }
  return out;
}

TEST_CASE("a fault meets the requests that its spec names", "[faults]") {
  CHECK(met("path=*/_bulk,every=3,status=429", 7) == std::vector<int>{3, 6});
  CHECK(met("path=*/_bulk,nth=2,status=429", 5) == std::vector<int>{2});
  CHECK(met("from=2,to=4,delay=5ms", 6) == std::vector<int>{2, 3, 4});
  CHECK(met("path=/_bulk,status=500", 3).empty());
  CHECK(met("method=GET,status=500", 3).empty());
  CHECK(met("reset", 2) == std::vector<int>{1, 2});
  const auto* word = GENERATE("huge-head", "huge-body", "gzip-bomb", "half-close", "interim", "chunked",
                              "trickle", "slow-read");
  CHECK(met(std::string("nth=2,") + word, 3) == std::vector<int>{2});
}

TEST_CASE("a time window counts from the first request that fits, or from the start", "[faults]") {
  CHECK(met("after=2s,for=2s,hang", 7, 1s) == std::vector<int>{3, 4});
  CHECK(met("since=start,after=2s,for=2s,hang", 7, 1s) == std::vector<int>{2, 3});
  CHECK(met("after=5s,truncate", 7, 1s) == std::vector<int>{6, 7});
}

TEST_CASE("a held request is answered when the window ends", "[faults]") {
  FaultPlan plan({parse_fault("after=5s,for=2s,hold"), parse_fault("delay=5ms")}, kStart);
  CHECK(plan.next("GET", "/a/_search", kStart).not_before == Instant());
  const Effect held = plan.next("GET", "/a/_search", kStart + 6s);
  CHECK(held.not_before == kStart + 7s);
  CHECK(held.delay == 5ms);
  CHECK(plan.next("GET", "/a/_search", kStart + 7s).not_before == Instant());
}

TEST_CASE("delays add up, and the first other trouble wins", "[faults]") {
  FaultPlan plan({parse_fault("delay=5ms"), parse_fault("delay=1s,status=503"), parse_fault("reset")},
                 kStart);
  const Effect effect = plan.next("GET", "/", kStart);
  CHECK(effect.delay == 1005ms);
  CHECK(effect.kind == FaultKind::status);
  CHECK(effect.status == 503);
}

TEST_CASE("a body takes the rest of the spec", "[faults]") {
  const Fault fault = parse_fault(R"(path=/_nodes/stats*,body={"nodes":{"a":1,"b":2}})");
  CHECK(*fault.body == R"({"nodes":{"a":1,"b":2}})");
  CHECK(fault.status == 200);
}

TEST_CASE("failed items have a number and a status", "[faults]") {
  const Fault fault = parse_fault("path=/_bulk,items-failed=10,items-status=429");
  CHECK(fault.kind == FaultKind::items);
  CHECK(fault.items_failed == 10);
  CHECK(fault.items_status == 429);
}

TEST_CASE("a spec that makes no sense is the user's mistake", "[faults]") {
  const auto spec = GENERATE(as<std::string>(), "", "path=/_bulk", "staus=429", "status=abc", "status=99",
                             "delay=5", "delay=soon", "every=0,status=500", "from=5,to=2,reset", "hold",
                             "reset,hang", "status", "since=now,reset");
  CHECK_THROWS_AS(parse_fault(spec), UserError);
}

TEST_CASE("a misspelt part is answered with the nearest", "[faults]") {
  try {
    parse_fault("staus=429");
    FAIL("accepted");
  } catch (const UserError& error) {
    CHECK(error.hint() == "did you mean status?");
  }
}

}  // namespace pacenote::sandbox::faults_test
