#include "core/statistics/interval.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "core/random.hpp"
#include "core/statistics/distributions.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::statistics::interval_test {

double normal(Random& random) { return normal_quantile(random.unit() * (1 - 1e-12) + 5e-13); }

TEST_CASE("ranks around a percentile are those of published tables", "[interval]") {
  // Hahn & Meeker, Statistical Intervals, 2017, table J.11: n = 100, median, 95 %: ranks 40 and 61.
  const auto median = percentile_ranks(100, 50);
  REQUIRE(median);
  CHECK(median->low + 1 == 40);
  CHECK(median->high + 1 == 61);
  CHECK_FALSE(percentile_ranks(5, 50));
  CHECK(percentile_ranks(6, 50)->high == 5);  // 2 / 2^6 = 3.1 %
  CHECK_FALSE(percentile_ranks(100, 99));     // 0.99^100 = 37 %: there may be nothing above it
  CHECK_FALSE(percentile_ranks(367, 99));
  CHECK(percentile_ranks(368, 99)->high == 367);
  CHECK_FALSE(percentile_ranks(0, 50));
  CHECK(percentile_ranks(10'000'000, 99.9));
}

TEST_CASE("intervals of percentiles cover what they are about, whatever the distribution", "[interval]") {
  Random random(1);
  int covered = 0;
  constexpr int kTrials = 1000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values;
    for (int i = 0; i < 60; ++i) values.push_back(-std::log(1 - random.unit()));  // its 90th is ln 10
    std::sort(values.begin(), values.end());
    const auto interval = percentile_interval(values, 90);
    REQUIRE(interval);
    if (interval->low <= std::log(10.0) && std::log(10.0) <= interval->high) ++covered;
  }
  CHECK(covered >= 940);  // at least 95 %, less one and a half standard errors
  CHECK(covered < 1000);
}

TEST_CASE("a shift lies between the differences that the rank sum allows", "[interval]") {
  // Five against five at 95 %: P(U <= 2) = 4/252, so the third smallest and third largest of 25 differences.
  const std::vector<double> from{1, 2, 3, 4, 5}, to{11, 12, 13, 14, 15};
  const Shift shift = shift_of(from, to);
  CHECK(shift.estimate == 10);
  REQUIRE(shift.interval);
  CHECK(shift.interval->low == 7);
  CHECK(shift.interval->high == 13);
  CHECK_FALSE(shift_of(std::vector<double>{1, 2, 3}, std::vector<double>{4, 5, 6}).interval);
  const Shift four = shift_of(std::vector<double>{1, 2, 3, 4}, std::vector<double>{5, 6, 7, 8});
  CHECK(four.interval->low == 1);
  CHECK(four.interval->high == 7);
  CHECK(shift_of(std::vector<double>(100, 1.0), std::vector<double>(100, 2.0)).interval->high == 1);
}

TEST_CASE("batch means cover the mean of a series whose neighbours resemble each other", "[interval]") {
  Random random(2);
  int covered = 0, given = 0;
  constexpr int kTrials = 400;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> blocks;
    double state = normal(random) / std::sqrt(1 - 0.36);
    for (int i = 0; i < 64; ++i) blocks.push_back(100 + (state = 0.6 * state + normal(random)));
    const auto interval = block_interval(blocks);
    if (!interval) continue;  // took it for a drift
    ++given;
    if (interval->low <= 100 && 100 <= interval->high) ++covered;
  }
  std::cout << "simulation of batch means, correlation 0.6: " << covered << " of " << given
            << " intervals cover\n";
  CHECK(given >= 360);
  CHECK(covered * 10 >= given * 9);  // 90 %; treated as independent it would be about 67 %
  CHECK_FALSE(block_interval(std::vector<double>(7, 1.0)));
  CHECK(block_interval(std::vector<double>(8, 1.0))->low == 1);
}

TEST_CASE("mean, median, deviation", "[interval]") {
  CHECK(median_of({3, 1, 2}) == 2);
  CHECK(median_of({4, 1, 2, 3}) == 2.5);
  CHECK(deviation_of(std::vector<double>{1, 2, 3}) == 1);
  CHECK(deviation_of(std::vector<double>{5}) == 0);
  CHECK_FALSE(mean_interval(std::vector<double>{5}));
  const auto interval = mean_interval(std::vector<double>{1, 2, 3});
  CHECK(interval->high == Approx(2 + 4.302653 / std::sqrt(3.0)));  // t of 2 degrees of freedom
}

TEST_CASE("a rate that drifts has no interval", "[interval]") {
  std::vector<double> blocks;
  for (int i = 0; i < 64; ++i) blocks.push_back(i);
  CHECK_FALSE(block_interval(blocks));
}

}  // namespace pacenote::statistics::interval_test
