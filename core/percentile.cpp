#include "core/percentile.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/summarize.hpp"

namespace pacenote {
namespace {

constexpr double kNanosPerMilli = 1e6;

/// Where percentile p of n values lies: between the lower and upper rank, `fraction` of the way.
struct Rank {
  std::size_t lower, upper;
  double fraction;
};

Rank rank_of(double p, std::size_t n) {
  const double rank = p / 100.0 * static_cast<double>(n - 1);
  const double lower = std::floor(rank);
  return {static_cast<std::size_t>(lower), static_cast<std::size_t>(std::ceil(rank)), rank - lower};
}

double between(double lower, double upper, double fraction) { return lower + (upper - lower) * fraction; }

}  // namespace

double percentile(std::span<const double> sorted, double p) {
  const Rank rank = rank_of(p, sorted.size());
  return between(sorted[rank.lower], sorted[rank.upper], rank.fraction);
}

std::vector<double> percentiles_for(std::uint64_t n) {
  if (n == 0) return {};
  if (n == 1) return {100};
  std::vector<double> out{50};
  if (n >= 10) out.push_back(90);
  if (n >= 100) out.push_back(99);
  if (n >= 1000) out.push_back(99.9);
  if (n >= 10000) out.push_back(99.99);
  out.push_back(100);
  return out;
}

Distribution distribution(std::vector<std::int64_t>& nanoseconds) {
  Distribution out;
  if (nanoseconds.empty()) return out;
  const std::size_t n = nanoseconds.size();
  const auto sum = std::accumulate(nanoseconds.begin(), nanoseconds.end(), std::int64_t{0});
  out.mean = static_cast<double>(sum) / static_cast<double>(n) / kNanosPerMilli;
  // Ranks ascend, so each selection only looks at what lies above the one before: about two passes in all.
  auto from = nanoseconds.begin();
  for (const double p : percentiles_for(n)) {
    const Rank rank = rank_of(p, n);
    const auto lower = nanoseconds.begin() + static_cast<std::ptrdiff_t>(rank.lower);
    std::nth_element(from, lower, nanoseconds.end());
    from = lower;
    const auto upper = rank.upper == rank.lower ? lower : std::min_element(lower + 1, nanoseconds.end());
    out.percentiles.emplace_back(p, between(static_cast<double>(*lower) / kNanosPerMilli,
                                            static_cast<double>(*upper) / kNanosPerMilli, rank.fraction));
  }
  return out;
}

}  // namespace pacenote
