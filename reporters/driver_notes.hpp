// Where the load driver, not the cluster, set the figures.
#pragma once

#include <string>
#include <vector>

#include "core/results.hpp"

namespace pacenote::reporters {

/// One line for each task and reason: a busy or starved driver thread, clients that waited for parameters or
/// connections, a planned rate that was not reached. Tasks shorter than half a second are not judged.
std::vector<std::string> driver_notes(const Results& results);

}  // namespace pacenote::reporters
