// Pacenote's own figures of the tasks, beside Rally's.
#pragma once

#include "core/results.hpp"
#include "reporters/table.hpp"

namespace pacenote::reporters {

inline constexpr std::string_view kTaskFiguresTitle = "Beside Rally's figures";

/// Work divided by time after the warm-up, percentiles, the server's own word, errors by kind; each with the
/// interval in which it lies (95 %) or why there is none. No rows for tasks without normal samples.
Table task_figures(const Results& results);

}  // namespace pacenote::reporters
