#include "core/statistics/distributions.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace pacenote::statistics {
namespace {

// Errors as values: an extreme argument must not end a report.
using Policy = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
    boost::math::policies::promote_double<false>,
    boost::math::policies::discrete_quantile<boost::math::policies::integer_round_up>>;
using Normal = boost::math::normal_distribution<double, Policy>;
using Student = boost::math::students_t_distribution<double, Policy>;
using NoncentralStudent = boost::math::non_central_t_distribution<double, Policy>;
using Binomial = boost::math::binomial_distribution<double, Policy>;

}  // namespace

double normal_quantile(double p) { return boost::math::quantile(Normal(), p); }

double student_quantile(double p, double freedom) { return boost::math::quantile(Student(freedom), p); }

double student_two_sided(double t, double freedom) {
  if (std::isinf(t)) return 0;
  return 2 * boost::math::cdf(boost::math::complement(Student(freedom), std::abs(t)));
}

double noncentral_student_above(double t, double freedom, double noncentrality) {
  return boost::math::cdf(boost::math::complement(NoncentralStudent(freedom, noncentrality), t));
}

std::uint64_t binomial_quantile(std::uint64_t n, double p, double q) {
  return static_cast<std::uint64_t>(boost::math::quantile(Binomial(static_cast<double>(n), p), q));
}

double binomial_below(std::uint64_t n, double p, std::uint64_t k) {
  return boost::math::cdf(Binomial(static_cast<double>(n), p), static_cast<double>(k));
}

}  // namespace pacenote::statistics
