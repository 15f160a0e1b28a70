// The few distributions that the reports' statistics need. Pure.
#pragma once

#include <cstdint>

namespace pacenote::statistics {

/// x with P(X <= x) = p for the standard normal distribution. 0 < p < 1.
double normal_quantile(double p);
/// The same for Student's t with `freedom` > 0 degrees of freedom.
double student_quantile(double p, double freedom);
/// P(|T| >= |t|) under Student's t.
double student_two_sided(double t, double freedom);
/// P(T > t) of the noncentral t distribution: what a t test finds of an effect of `noncentrality` errors.
double noncentral_student_above(double t, double freedom, double noncentrality);
/// Smallest k with P(X <= k) >= q for X binomial of n trials with success probability p. q, p in (0, 1).
std::uint64_t binomial_quantile(std::uint64_t n, double p, double q);
/// P(X <= k) for the same X.
double binomial_below(std::uint64_t n, double p, std::uint64_t k);

}  // namespace pacenote::statistics
