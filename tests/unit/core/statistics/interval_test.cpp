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

/// How many of 4000 series of so many blocks, a first-order autoregression around 100, get an interval, and
/// how many of these it covers.
std::pair<int, int> covered_of(std::size_t blocks, double correlation, Random& random) {
  int covered = 0, given = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<double> series;
    double state = normal(random) / std::sqrt(1 - correlation * correlation);
    for (std::size_t i = 0; i < blocks; ++i)
      series.push_back(100 + (state = correlation * state + normal(random)));
    const auto interval = block_interval(series);
    if (!interval) continue;  // took it for a drift
    ++given;
    if (interval->low <= 100 && 100 <= interval->high) ++covered;
  }
  return {covered, given};
}

TEST_CASE("the interval of a rate covers in 94 to 96 of 100 series whose neighbours resemble each other",
          "[interval]") {
  Random random(2);
  for (const auto& [blocks, correlation] :
       {std::pair(64u, 0.0), {64u, 0.3}, {64u, 0.6}, {64u, 0.8}, {32u, 0.0}, {32u, 0.3}, {32u, 0.6}}) {
    const auto [covered, given] = covered_of(blocks, correlation, random);
    std::cout << "simulation of a rate's interval, " << blocks << " blocks, correlation " << correlation
              << ": " << covered << " of " << given << " cover\n";
    CHECK(given > 3600);
    CHECK(covered > 0.94 * given);
    CHECK(covered < 0.96 * given);
  }
}

TEST_CASE("the interval of a rate is as wide as Student's where blocks are independent", "[interval]") {
  Random random(3);
  double ours = 0, students = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<double> series(64);
    for (double& block : series) block = normal(random);
    ours += block_interval(series)->high - block_interval(series)->low;
    students += mean_interval(series)->high - mean_interval(series)->low;
  }
  CHECK(ours < 1.2 * students);
  CHECK_FALSE(block_interval(std::vector<double>(7, 1.0)));
  CHECK(block_interval(std::vector<double>(8, 1.0))->low == Approx(1));
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
