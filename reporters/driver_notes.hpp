// Where the load driver, not the cluster, set the figures.
#pragma once

#include <string>
#include <vector>

#include "core/results.hpp"

namespace pacenote::reporters {

/// One line for each task and reason: a busy or starved driver thread, clients that waited for parameters or
/// connections, a planned rate that was not reached. Tasks shorter than half a second are not judged.
std::vector<std::string> driver_notes(const Results& results);

/// "5.0 of 10 ops/s reached; latency is dominated by waiting; highest rate for 1 client about 5 ops/s" (case
/// O8). Empty within 2 % of a planned rate, and without one.
std::string missed_rate(const TaskResult& task);
/// The same as lines: "task q: 5.0 of …". They are among driver_notes().
std::vector<std::string> missed_rates(const Results& results);

}  // namespace pacenote::reporters
