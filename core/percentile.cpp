#include "core/percentile.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

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

/// Buckets of 0.1 % width: exponent and ten bits of the mantissa, so that they ascend with the value.
constexpr std::size_t kBuckets = std::size_t{64} << 10;
std::size_t bucket_of(std::int64_t value) {
  constexpr std::uint64_t kOne = std::uint64_t{0x3ff} << 10;  // of the value 1
  const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(std::max<std::int64_t>(value, 1)));
  return static_cast<std::size_t>((bits >> 42) - kOne);
}

/// Fills in the value at each rank. Only the few buckets that hold a wanted rank are sorted, which makes ten
/// million values two quick passes; values below 1 share the first bucket.
void select(std::span<const std::int64_t> values, std::map<std::size_t, std::int64_t>& at) {
  std::vector<std::size_t> counts(kBuckets);
  for (const std::int64_t value : values) ++counts[bucket_of(value)];
  std::vector<std::vector<std::int64_t>> members;  // of the buckets that matter
  std::vector<std::uint32_t> slot(kBuckets);       // position in members + 1; 0: does not matter
  std::vector<std::pair<std::size_t, std::uint32_t>>
      ranks;  // by ascending rank: first rank of its bucket, slot
  std::size_t bucket = 0, before = 0;
  for (const auto& [rank, value] : at) {
    while (before + counts[bucket] <= rank) before += counts[bucket++];
    if (slot[bucket] == 0) {
      members.emplace_back().reserve(counts[bucket]);
      slot[bucket] = static_cast<std::uint32_t>(members.size());
    }
    ranks.emplace_back(before, slot[bucket] - 1);
  }
  for (const std::int64_t value : values)
    if (const std::uint32_t found = slot[bucket_of(value)]; found != 0) members[found - 1].push_back(value);
  for (auto& bucket_members : members) std::sort(bucket_members.begin(), bucket_members.end());
  auto next = ranks.begin();
  for (auto& [rank, value] : at) {
    value = members[next->second][rank - next->first];
    ++next;
  }
}

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

Distribution distribution(std::span<const std::int64_t> nanoseconds) {
  Distribution out;
  if (nanoseconds.empty()) return out;
  const std::size_t n = nanoseconds.size();
  const auto sum = std::accumulate(nanoseconds.begin(), nanoseconds.end(), std::int64_t{0});
  out.mean = static_cast<double>(sum) / static_cast<double>(n) / kNanosPerMilli;
  std::map<std::size_t, std::int64_t> at;
  std::vector<std::pair<double, statistics::Ranks>> around;
  for (const double p : percentiles_for(n)) {
    const Rank rank = rank_of(p, n);
    at[rank.lower] = at[rank.upper] = 0;
    if (const auto ranks = statistics::percentile_ranks(n, p)) {
      around.emplace_back(p, *ranks);
      at[ranks->low] = at[ranks->high] = 0;
    }
  }
  select(nanoseconds, at);
  for (const double p : percentiles_for(n)) {
    const Rank rank = rank_of(p, n);
    out.percentiles.emplace_back(
        p, between(static_cast<double>(at[rank.lower]) / kNanosPerMilli,
                   static_cast<double>(at[rank.upper]) / kNanosPerMilli, rank.fraction));
  }
  for (const auto& [p, ranks] : around)
    out.intervals.emplace_back(p, statistics::Interval{static_cast<double>(at[ranks.low]) / kNanosPerMilli,
                                                       static_cast<double>(at[ranks.high]) / kNanosPerMilli});
  return out;
}

}  // namespace pacenote
