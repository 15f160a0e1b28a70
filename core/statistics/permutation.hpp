// Whether two groups of races differ, without a word about how their figures are distributed. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pacenote::statistics {

/// One metric's values of all races, first those of the first group. Same length for all metrics of a test.
using Values = std::vector<double>;

/// P values that are right for all metrics together: the chance that under no difference anywhere even one of
/// them falls to or below 0.05 is at most 5 %. Step-down max-T permutation (Westfall & Young,
/// Resampling-Based Multiple Testing, 1993, 4.1; Ge, Dudoit & Speed 2003) on the two-sample t, since an exact
/// rank test of few races cannot pass a Bonferroni bound. All assignments of the races are tried where there
/// are at most 20,000, else that many from a seed that depends on the sizes alone (counted as Phipson & Smyth
/// 2010). Results in the order of `metrics`. REQUIRES: 0 < first < length.
std::vector<double> permutation_test(std::span<const Values> metrics, std::size_t first);

/// The smallest p value that groups of these sizes can reach at all.
double smallest_p(std::size_t first, std::size_t second);

}  // namespace pacenote::statistics
