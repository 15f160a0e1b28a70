// What differs between races beside their figures.
#pragma once

#include <string>
#include <vector>

#include "reporters/comparison.hpp"

namespace pacenote::reporters {

/// One property and its value in each race, in the order of the races; "not given" where it has none.
struct Property {
  std::string name;
  std::vector<std::string> values;
};

/// Properties whose values are not the same in all races: track, challenge, parameters, pacenote's version,
/// the cluster's version and nodes, settings of the command line that can change figures, clients of tasks.
std::vector<Property> differing(const std::vector<const RacedSide*>& races);

}  // namespace pacenote::reporters
