#include "core/driver_cost.hpp"

#include "tests/support/catch.hpp"

namespace pacenote::driver_cost_test {

using namespace std::chrono_literals;

TEST_CASE("percentiles of lateness are at most 5 % too high", "[driver]") {
  LatenessHistogram late;
  CHECK(late.percentile(50) == 0ns);
  for (int i = 1; i <= 1000; ++i) late.add(i * 10us);
  for (const double p : {10., 50., 90., 99.}) {
    const double exact = p * 1e5, got = static_cast<double>(late.percentile(p).count());
    CHECK(got >= exact);
    CHECK(got <= exact * 1.05);
  }
  CHECK(late.percentile(100) == 10ms);
  CHECK(late.max() == 10ms);
}

TEST_CASE("what is early is not late, and hours have a place", "[driver]") {
  LatenessHistogram late, other;
  late.add(-5ms);
  CHECK(late.percentile(100) == 0ns);
  other.add(100h);
  late.add(other);
  CHECK(late.count() == 2);
  CHECK(late.max() == 100h);
  CHECK(late.percentile(50) <= 2us);
  CHECK(late.percentile(100) > 1h);
}

}  // namespace pacenote::driver_cost_test
