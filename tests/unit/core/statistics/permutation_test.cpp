#include "core/statistics/permutation.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>

#include "core/random.hpp"
#include "core/statistics/distributions.hpp"
#include "core/statistics/power.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::statistics::permutation_test_ {

constexpr std::size_t kMetrics = 10, kRaces = 5;
constexpr int kPairs = 1000;

double normal(Random& random) { return normal_quantile(random.unit() * (1 - 1e-12) + 5e-13); }

/// Two groups of races whose metrics have 1.2 % noise, part of it common to all metrics of a race as on a
/// real machine; the second group's first metric is better by `effect`.
std::vector<Values> pair_of_groups(Random& random, double effect) {
  std::vector<double> common;
  for (std::size_t race = 0; race < 2 * kRaces; ++race) common.push_back(normal(random));
  std::vector<Values> metrics(kMetrics);
  for (std::size_t metric = 0; metric < kMetrics; ++metric) {
    for (std::size_t race = 0; race < 2 * kRaces; ++race) {
      const double noise = 0.6 * common[race] + 0.8 * normal(random);
      const double shift = metric == 0 && race >= kRaces ? effect : 0;
      metrics[metric].push_back(100 * (1 + shift + 0.012 * noise));
    }
  }
  return metrics;
}

TEST_CASE("equal groups raise at most one alarm in twenty, an effect of 5 % is found", "[permutation]") {
  const auto begin = std::chrono::steady_clock::now();
  Random random(20261130);
  int false_alarms = 0, found = 0;
  for (int pair = 0; pair < kPairs; ++pair) {
    const std::vector<double> equal = permutation_test(pair_of_groups(random, 0), kRaces);
    if (*std::min_element(equal.begin(), equal.end()) <= 0.05) ++false_alarms;
    if (permutation_test(pair_of_groups(random, 0.05), kRaces)[0] <= 0.05) ++found;
  }
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::cout << "simulation of " << kPairs << " pairs of 5 races, 10 metrics: " << false_alarms
            << " with a false alarm, an effect of 5 % at 1.2 % noise found " << found << " times, " << took
            << " s\n";
  CHECK(false_alarms <= 64);  // 5 % and two standard errors
  CHECK(false_alarms >= 20);  // an alarm that never rings would pass the line above
  CHECK(found >= 900);
}

TEST_CASE("a separated metric has the smallest p value there is", "[permutation]") {
  const std::vector<Values> one{{1, 2, 3, 4, 5, 11, 12, 13, 14, 15}};
  CHECK(permutation_test(one, 5)[0] == Approx(2.0 / 252));
  CHECK(smallest_p(5, 5) == Approx(2.0 / 252));
  CHECK(smallest_p(3, 3) == Approx(0.1));
  CHECK(smallest_p(3, 4) == Approx(1.0 / 35));
  CHECK(smallest_p(1, 1) == 1);
}

TEST_CASE("values without spread are no alarm, unless they differ by group", "[permutation]") {
  const std::vector<Values> metrics{Values(10, 0.1), {0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, Values(10, 1e9 / 3)};
  const std::vector<double> p = permutation_test(metrics, 5);
  CHECK(p[0] == 1);
  CHECK(p[1] == Approx(2.0 / 252));
  CHECK(p[2] == 1);
}

TEST_CASE("large groups are drawn from, the same way each time", "[permutation]") {
  Values values;
  for (int i = 0; i < 40; ++i) values.push_back(i % 7 + (i >= 20 ? 3 : 0));
  const std::vector<Values> metrics{values};
  const double p = permutation_test(metrics, 20)[0];
  CHECK(p < 0.001);
  CHECK(p > 0);
  CHECK(permutation_test(metrics, 20)[0] == p);
}

TEST_CASE("how many races would settle it", "[power]") {
  CHECK(power_of(5, 5, 1.2, 10) > 0.9);
  CHECK(power_of(3, 50, 1.2, 1) == 0);  // 3 against 3 cannot reach 5 % at all
  CHECK(*races_needed(50, 1, 1) == 4);
  // n = 2 (z.975 + z.9)^2 sigma^2 / effect^2 = 84.06 by the normal distribution; t asks for one more.
  CHECK(*races_needed(0.5, 1, 1) == 86);
  CHECK_FALSE(races_needed(0, 1, 1));
  CHECK_FALSE(races_needed(0.001, 1, 1));
  CHECK(*races_needed(1, 0, 1) == 4);
  CHECK(power_of(5, detectable(5, 1.2, 10), 1.2, 10) == Approx(0.9).margin(0.001));
}

}  // namespace pacenote::statistics::permutation_test_
