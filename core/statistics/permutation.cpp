#include "core/statistics/permutation.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/random.hpp"
#include "core/statistics/interval.hpp"

namespace pacenote::statistics {
namespace {

constexpr double kMostAssignments = 20'000;

/// n over k as a double: may be huge.
double choices(std::size_t n, std::size_t k) {
  double out = 1;
  for (std::size_t i = 0; i < k; ++i) out = out * static_cast<double>(n - i) / static_cast<double>(i + 1);
  return std::round(out);
}

/// Calls use(members of the first group) for all assignments in lexical order; the first is the one seen.
template <class Use>
void each_assignment(std::size_t n, std::size_t k, Use use) {
  std::vector<std::size_t> members(k);
  std::iota(members.begin(), members.end(), std::size_t{0});
  for (;;) {
    use(members);
    std::size_t i = k;
    while (i > 0 && members[i - 1] == n - k + i - 1) --i;
    if (i == 0) return;
    ++members[i - 1];
    for (; i < k; ++i) members[i] = members[i - 1] + 1;
  }
}

/// The seen one, then drawn ones.
template <class Use>
void some_assignments(std::size_t n, std::size_t k, Use use) {
  std::vector<std::size_t> races(n);
  std::iota(races.begin(), races.end(), std::size_t{0});
  Random random(seed_of("permutation", n * 1000 + k));
  std::vector<std::size_t> members(races.begin(), races.begin() + static_cast<std::ptrdiff_t>(k));
  use(members);
  for (int draw = 0; draw < static_cast<int>(kMostAssignments); ++draw) {
    for (std::size_t i = 0; i < k; ++i) {
      std::swap(races[i], races[i + random.below(n - i)]);
      members[i] = races[i];
    }
    use(members);
  }
}

/// A metric made ready: the square of t from the sum over the first group alone.
class Centred {
 public:
  Centred(const Values& values, std::size_t first) : values_(values) {
    const double mean = mean_of(values_);
    for (double& value : values_) {
      value -= mean;
      squares_ += value * value;
    }
    const auto n = static_cast<double>(values_.size());
    const auto k = static_cast<double>(first);
    between_ = n / (k * (n - k));
    freedom_ = n - 2;
    // What rounding leaves of values that are all equal is no spread.
    if (squares_ <= n * std::pow(mean * 1e-12, 2)) squares_ = 0;
  }
  double t_squared(const std::vector<std::size_t>& members) const {
    if (squares_ == 0) return 0;
    double sum = 0;
    for (const std::size_t i : members) sum += values_[i];
    const double explained = between_ * sum * sum;
    const double rest = squares_ - explained;
    if (rest <= squares_ * 1e-12) return std::numeric_limits<double>::infinity();
    return explained / rest * freedom_;
  }

 private:
  Values values_;
  double squares_ = 0, between_ = 0, freedom_ = 0;
};

bool reaches(double permuted, double seen) { return permuted >= seen * (1 - 1e-9); }

}  // namespace

std::vector<double> permutation_test(std::span<const Values> metrics, std::size_t first) {
  if (metrics.empty()) return {};
  const std::size_t n = metrics.front().size();
  assert(first > 0 && first < n);
  std::vector<Centred> centred;
  for (const Values& values : metrics) {
    assert(values.size() == n);
    centred.emplace_back(values, first);
  }
  std::vector<double> seen(metrics.size());
  std::vector<std::size_t> order(metrics.size());  // by descending t
  std::vector<std::size_t> as_raced(first);
  std::iota(as_raced.begin(), as_raced.end(), std::size_t{0});
  for (std::size_t i = 0; i < metrics.size(); ++i) seen[i] = centred[i].t_squared(as_raced);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return seen[a] > seen[b]; });

  std::vector<double> reached(metrics.size());
  double assignments = 0;
  const auto count = [&](const std::vector<std::size_t>& members) {
    ++assignments;
    double most = 0;  // over this metric and all below it: the step-down
    for (std::size_t place = order.size(); place-- > 0;) {
      most = std::max(most, centred[order[place]].t_squared(members));
      if (reaches(most, seen[order[place]])) ++reached[place];
    }
  };
  if (choices(n, first) <= kMostAssignments) {
    each_assignment(n, first, count);
  } else {
    some_assignments(n, first, count);
  }
  std::vector<double> out(metrics.size());
  double before = 0;  // p values must not descend with t
  for (std::size_t place = 0; place < order.size(); ++place) {
    before = std::max(before, reached[place] / assignments);
    out[order[place]] = before;
  }
  return out;
}

double smallest_p(std::size_t first, std::size_t second) {
  if (first == 0 || second == 0 || first + second < 3) return 1;
  const double all = std::min(choices(first + second, first), kMostAssignments + 1);
  return (first == second ? 2 : 1) / all;  // exchanging groups of equal size gives the same t
}

}  // namespace pacenote::statistics
