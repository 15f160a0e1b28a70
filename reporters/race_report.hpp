// Whole texts: what a verb prints or writes to a file.
#pragma once

#include <string>
#include <vector>

#include "core/race_record.hpp"
#include "core/results.hpp"
#include "reporters/comparison.hpp"
#include "reporters/summary.hpp"
#include "reporters/table.hpp"

namespace pacenote::reporters {

struct ReportOptions {
  std::string format = "markdown";  ///< a name in Registry<Format>
  Align numbers = Align::decimal;
  SummaryOptions summary;
  bool colours = false;  ///< of a comparison; for terminals only
  bool raw = false;      ///< csv: texts as they are, even where a spreadsheet would run them
  bool exact = false;    ///< csv: numbers with all digits and nothing else, for programs; else as Rally's
};

/// What is written, and the lines for which the format has no place: those are for standard error.
struct Written {
  std::string text;
  std::vector<std::string> head, notes;
};

Written write(const Table& table, const ReportOptions& options);

/// The summary with everything that must be known beside it: the race's own warnings, the notes of its
/// results, its state, and whether it ran on the sandbox. Depends on nothing but its arguments, so that a
/// report from the store is the one at the end of the race.
Table race_table(const RaceRecord& race, const Results& results, const SummaryOptions& options);

/// The text of race_table on standard output or in a file. UserError for an unknown format.
std::string race_report(const RaceRecord& race, const Results& results, const ReportOptions& options);

/// The comparison with its notes.
Table comparison_table(const RacedSide& baseline, const RacedSide& contender,
                       const ComparisonOptions& options);

}  // namespace pacenote::reporters
