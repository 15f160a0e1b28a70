// The table at the end of a race.
#pragma once

#include <string>
#include <vector>

#include "core/results.hpp"
#include "reporters/table.hpp"

namespace pacenote::reporters {

enum class Show : std::uint8_t { available, all_percentiles, all };
/// --show-in-report. UserError for another word.
Show show_from(const std::string& text);

struct SummaryOptions {
  Show show = Show::available;
  bool processing_time = false;
};

/// Rally's rows in Rally's order (behaviour E.1). After a task's own rows follow pacenote's, only where
/// Rally's hide something: failed documents, failed requests, retries. Notes are those of result_notes.
Table summary(const Results& results, const SummaryOptions& options);

/// What the figures alone do not say of the tasks, in schedule order: errors, missing throughput, samples
/// that ended in warm-up, incomplete tasks and tasks that did not run.
std::vector<std::string> result_notes(const Results& results);

/// "task q: incomplete (12 samples)", "task q: not run"; empty for a complete one.
std::string state_note(const TaskResult& task);

/// The percentiles that a report has a row for, and that row's first word: 99.9 -> "99.9th".
inline constexpr double kPercentiles[] = {50, 90, 99, 99.9, 99.99, 100};
std::string ordinal(double percentile);

}  // namespace pacenote::reporters
