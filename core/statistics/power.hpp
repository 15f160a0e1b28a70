// How many races would settle it. Pure.
#pragma once

#include <cstddef>
#include <optional>

namespace pacenote::statistics {

/// The chance that two groups of `races` each show a difference of `effect` where races differ by `noise`
/// (same unit): the t test's, which the permutation test comes near. `tests`: metrics that share the 5 %.
double power_of(std::size_t races, double effect, double noise, std::size_t tests);

/// Races that each group needs to show a difference of `effect` nine times in ten; at least so many that the
/// permutation test can reach 5 % at all. None if more than 1000, or if effect is 0.
std::optional<std::size_t> races_needed(double effect, double noise, std::size_t tests);

/// The smallest effect that groups of `races` show nine times in ten.
double detectable(std::size_t races, double noise, std::size_t tests);

}  // namespace pacenote::statistics
