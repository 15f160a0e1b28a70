#include "core/percentile.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
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

/// The ranks that the distribution of n values needs, each with a place for its value.
std::map<std::size_t, std::int64_t> ranks_of(std::size_t n) {
  std::map<std::size_t, std::int64_t> at;
  for (const double p : percentiles_for(n)) {
    const Rank rank = rank_of(p, n);
    at[rank.lower] = at[rank.upper] = 0;
    if (const auto ranks = statistics::percentile_ranks(n, p)) at[ranks->low] = at[ranks->high] = 0;
  }
  return at;
}

Distribution distribution_of(std::size_t n, std::int64_t sum, std::map<std::size_t, std::int64_t>& at) {
  Distribution out;
  out.mean = static_cast<double>(sum) / static_cast<double>(n) / kNanosPerMilli;
  for (const double p : percentiles_for(n)) {
    const Rank rank = rank_of(p, n);
    out.percentiles.emplace_back(
        p, between(static_cast<double>(at[rank.lower]) / kNanosPerMilli,
                   static_cast<double>(at[rank.upper]) / kNanosPerMilli, rank.fraction));
    if (const auto ranks = statistics::percentile_ranks(n, p))
      out.intervals.emplace_back(p,
                                 statistics::Interval{static_cast<double>(at[ranks->low]) / kNanosPerMilli,
                                                      static_cast<double>(at[ranks->high]) / kNanosPerMilli});
  }
  return out;
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

void TwoLooks::count(std::int64_t nanoseconds) {
  if (counts_.empty()) counts_.resize(kBuckets);
  ++counts_[bucket_of(nanoseconds)];
  ++number_;
  sum_ += nanoseconds;
}

void TwoLooks::all_are_counted() {
  if (number_ == 0) return;
  slots_.resize(kBuckets);
  std::size_t bucket = 0;
  std::uint64_t before = 0;
  for (const auto& [rank, value] : ranks_of(number_)) {
    while (before + counts_[bucket] <= rank) before += counts_[bucket++];
    if (slots_[bucket] == 0) {
      members_.emplace_back().reserve(counts_[bucket]);
      slots_[bucket] = static_cast<std::uint16_t>(members_.size());
    }
    wanted_.push_back({rank, before, static_cast<std::uint16_t>(slots_[bucket] - 1)});
  }
}

void TwoLooks::collect(std::int64_t nanoseconds) {
  if (const std::uint16_t slot = slots_[bucket_of(nanoseconds)]; slot != 0)
    members_[slot - 1U].push_back(nanoseconds);
}

Distribution TwoLooks::result() {
  if (number_ == 0) return {};
  for (auto& members : members_) std::sort(members.begin(), members.end());
  std::map<std::size_t, std::int64_t> at;
  for (const Wanted& wanted : wanted_) at[wanted.rank] = members_[wanted.slot][wanted.rank - wanted.before];
  return distribution_of(number_, sum_, at);
}

Distribution distribution(std::span<const std::int64_t> nanoseconds) {
  TwoLooks looks;
  for (const std::int64_t value : nanoseconds) looks.count(value);
  looks.all_are_counted();
  for (const std::int64_t value : nanoseconds) looks.collect(value);
  return looks.result();
}

Distribution distribution(const std::map<std::int64_t, std::uint64_t>& nanoseconds) {
  std::uint64_t n = 0;
  std::int64_t sum = 0;
  for (const auto& [value, count] : nanoseconds) {
    n += count;
    sum += value * static_cast<std::int64_t>(count);
  }
  if (n == 0) return {};
  std::map<std::size_t, std::int64_t> at = ranks_of(n);
  auto here = nanoseconds.begin();
  std::uint64_t up_to_here = here->second;
  for (auto& [rank, value] : at) {
    while (up_to_here <= rank) up_to_here += (++here)->second;
    value = here->first;
  }
  return distribution_of(n, sum, at);
}

}  // namespace pacenote
