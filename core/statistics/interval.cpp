#include "core/statistics/interval.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/statistics/distributions.hpp"

namespace pacenote::statistics {
namespace {

constexpr double kTail = (1 - kConfidence) / 2;
constexpr std::size_t kFewestBlocks = 8, kWaves = 8;
constexpr double kMostCorrelated = 0.97;
constexpr double kFewestIndependent = 3;  // a series worth fewer drifts: there is no one rate to be near to

double square(double x) { return x * x; }

/// Correlation of neighbours in time.
double neighbour_correlation(std::span<const double> values) {
  const double mean = mean_of(values);
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += square(values[i] - mean);
    if (i > 0) products += (values[i] - mean) * (values[i - 1] - mean);
  }
  return squares > 0 ? products / squares : 0;
}

/// How much wave `j` of a series moves, its mean being none: the square of its cosine transform.
double power_of_wave(const std::vector<double>& blocks, std::size_t j) {
  const auto n = static_cast<double>(blocks.size());
  double sum = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    sum +=
        blocks[i] * std::cos(std::numbers::pi * static_cast<double>(j) * (static_cast<double>(i) + 0.5) / n);
  return 2 / n * square(sum);
}

/// The same of a first-order autoregressive series with correlation r, as a share of that of the longest
/// wave.
double share_of_wave(std::size_t n, std::size_t j, double r) {
  const double turn = std::numbers::pi * static_cast<double>(j) / static_cast<double>(n);
  return square(1 - r) / (1 + r * r - 2 * r * std::cos(turn));
}

/// How many of the smallest and of the largest differences lie outside of the interval, plus one: the largest
/// c with P(U <= c - 1) <= kTail for the rank sum U of groups of m and n. 0: none.
std::size_t outside(std::size_t m, std::size_t n) {
  if (m * n > 4000) {
    const double mn = static_cast<double>(m * n);
    const double below =
        mn / 2 - normal_quantile(1 - kTail) * std::sqrt(mn * static_cast<double>(m + n + 1) / 12);
    return below < 1 ? 0 : static_cast<std::size_t>(below);
  }
  // ways[j][u]: choices of j from the first group among what was looked at so far that have rank sum u.
  std::vector<std::vector<double>> ways(m + 1, std::vector<double>(m * n + 1));
  ways[0][0] = 1;
  for (std::size_t k = 1; k <= m + n; ++k) {
    for (std::size_t j = std::min(k, m); j >= 1; --j) {
      for (std::size_t u = 0; u <= m * n; ++u) {
        const std::size_t adds = k - j;  // of the second group, ranked below this one
        if (adds <= n && u >= adds) ways[j][u] += ways[j - 1][u - adds];
      }
    }
  }
  const double all = std::accumulate(ways[m].begin(), ways[m].end(), 0.0);
  double below = 0;
  for (std::size_t u = 0; u <= m * n; ++u) {
    below += ways[m][u];
    if (below / all > kTail) return u;
  }
  return 0;
}

}  // namespace

double mean_of(std::span<const double> values) {
  assert(!values.empty());
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median_of(std::vector<double> values) {
  assert(!values.empty());
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double deviation_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += square(value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double relative_deviation_of(std::span<const double> values) {
  const double mean = std::abs(mean_of(values));
  return mean > 0 ? deviation_of(values) / mean : 0;
}

std::optional<Interval> mean_interval(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const double n = static_cast<double>(values.size());
  const double half = student_quantile(1 - kTail, n - 1) * deviation_of(values) / std::sqrt(n);
  return Interval{mean_of(values) - half, mean_of(values) + half};
}

std::optional<Ranks> percentile_ranks(std::uint64_t n, double p) {
  // The number of values below the percentile is binomial. 1-based rank r lies at or below it with
  // P(X >= r), rank s above it with P(X <= s - 1).
  const double q = p / 100;
  if (n == 0 || q <= 0 || q >= 1) return std::nullopt;
  const auto size = static_cast<double>(n);
  if (std::pow(q, size) > kTail || std::pow(1 - q, size) > kTail) return std::nullopt;
  std::uint64_t low = binomial_quantile(n, q, kTail);  // P(X <= low) >= kTail
  while (low > 0 && binomial_below(n, q, low - 1) > kTail) --low;
  std::uint64_t high = binomial_quantile(n, q, 1 - kTail) + 1;
  while (high <= n && binomial_below(n, q, high - 1) < 1 - kTail) ++high;
  if (low == 0 || high > n) return std::nullopt;
  return Ranks{low - 1, high - 1};
}

std::optional<Interval> percentile_interval(std::span<const double> sorted, double p) {
  const auto ranks = percentile_ranks(sorted.size(), p);
  if (!ranks) return std::nullopt;
  return Interval{sorted[ranks->low], sorted[ranks->high]};
}

Shift shift_of(std::span<const double> from, std::span<const double> to) {
  std::vector<double> differences;
  differences.reserve(from.size() * to.size());
  for (const double a : from)
    for (const double b : to) differences.push_back(b - a);
  std::sort(differences.begin(), differences.end());
  Shift out{median_of(differences), std::nullopt};
  if (const std::size_t cut = outside(from.size(), to.size()); cut > 0)
    out.interval = Interval{differences[cut - 1], differences[differences.size() - cut]};
  return out;
}

std::optional<Interval> block_interval(const std::vector<double>& blocks) {
  if (blocks.size() < kFewestBlocks) return std::nullopt;
  const auto n = static_cast<double>(blocks.size());
  // The correlation of a short series comes out too small (Marriott & Pope 1954).
  const double seen = neighbour_correlation(blocks);
  const double r = seen + (1 + 4 * seen) / n;
  const double likely = std::clamp(r, 0.0, kMostCorrelated);
  if (n * (1 - likely) / (1 + likely) < kFewestIndependent) return std::nullopt;
  const double high = std::clamp(r + std::sqrt(std::max(0.0, 1 - r * r) / n), 0.0, kMostCorrelated);
  const std::size_t waves = std::min(kWaves, blocks.size() / 2);
  double power = 0, shares = 0;
  for (std::size_t j = 1; j <= waves; ++j) {
    power += power_of_wave(blocks, j);
    shares += share_of_wave(blocks.size(), j, high);
  }
  const double half = student_quantile(1 - kTail, static_cast<double>(waves)) * std::sqrt(power / shares / n);
  return Interval{mean_of(blocks) - half, mean_of(blocks) + half};
}

}  // namespace pacenote::statistics
