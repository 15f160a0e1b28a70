// Where the true value lies: intervals of means, differences, percentiles and rates over time. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pacenote::statistics {

/// All intervals cover with at least this probability.
inline constexpr double kConfidence = 0.95;

struct Interval {
  double low = 0, high = 0;
};

double mean_of(std::span<const double> values);                ///< non-empty
double median_of(std::vector<double> values);                  ///< non-empty
double deviation_of(std::span<const double> values);           ///< n - 1 in the denominator; 0 for one value
double relative_deviation_of(std::span<const double> values);  ///< of the mean's size; 0 where that is 0

/// Student's interval of the mean; none for fewer than two values.
std::optional<Interval> mean_interval(std::span<const double> values);

/// 0-based ranks of the two order statistics between which percentile p of the population lies, whatever its
/// distribution (David & Nagaraja, Order Statistics, 2003, 7.1), n independent values assumed. None where n
/// is too small for that. p in (0, 100).
struct Ranks {
  std::uint64_t low = 0, high = 0;
};
std::optional<Ranks> percentile_ranks(std::uint64_t n, double p);
/// The same two values out of `sorted`.
std::optional<Interval> percentile_interval(std::span<const double> sorted, double p);

/// How far the second group lies above the first (Hodges & Lehmann 1963): the median of all differences, and
/// between which of them the true shift lies by the exact distribution of the rank sum (Hollander, Wolfe &
/// Chicken, Nonparametric Statistical Methods, 2014, 4.3). No interval for groups that are too small.
struct Shift {
  double estimate = 0;
  std::optional<Interval> interval;
};
Shift shift_of(std::span<const double> from, std::span<const double> to);  ///< both non-empty

/// The interval of the mean of a time series that was cut into blocks of equal length, however neighbours
/// resemble each other: its slow waves tell how far the mean may be off (Müller 2007, J. Econometrics 141;
/// Lazarus, Lewis, Stock & Watson 2018, J. Bus. Econ. Stat. 36(4)), made level by a first-order
/// autoregression (Andrews & Monahan 1992, Econometrica 60). None for fewer than eight blocks, and where the
/// series drifts.
std::optional<Interval> block_interval(const std::vector<double>& blocks);

}  // namespace pacenote::statistics
