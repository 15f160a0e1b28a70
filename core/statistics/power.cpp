#include "core/statistics/power.hpp"

#include <algorithm>
#include <cmath>

#include "core/statistics/distributions.hpp"
#include "core/statistics/permutation.hpp"

namespace pacenote::statistics {
namespace {

constexpr double kAlpha = 0.05, kPower = 0.9;
constexpr std::size_t kMostRaces = 1000;

}  // namespace

double power_of(std::size_t races, double effect, double noise, std::size_t tests) {
  if (races < 2 || smallest_p(races, races) > kAlpha) return 0;
  if (noise <= 0) return effect != 0 ? 1 : 0;
  const auto n = static_cast<double>(races);
  const double freedom = 2 * n - 2;
  const double critical =
      student_quantile(1 - kAlpha / 2 / static_cast<double>(std::max<std::size_t>(tests, 1)), freedom);
  const double noncentrality = std::min(std::abs(effect) / (noise * std::sqrt(2 / n)), 40.0);
  return noncentral_student_above(critical, freedom, noncentrality);
}

std::optional<std::size_t> races_needed(double effect, double noise, std::size_t tests) {
  if (effect == 0) return std::nullopt;
  std::size_t low = 2, high = kMostRaces;
  if (power_of(high, effect, noise, tests) < kPower) return std::nullopt;
  while (low < high) {  // power grows with the number of races
    const std::size_t middle = (low + high) / 2;
    if (power_of(middle, effect, noise, tests) >= kPower)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

double detectable(std::size_t races, double noise, std::size_t tests) {
  double low = 0, high = noise;
  for (int i = 0; i < 60 && power_of(races, high, noise, tests) < kPower; ++i) high *= 2;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (power_of(races, middle, noise, tests) < kPower ? low : high) = middle;
  }
  return high;
}

}  // namespace pacenote::statistics
