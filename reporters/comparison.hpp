// Two races side by side.
#pragma once

#include <string>
#include <vector>

#include "core/race_record.hpp"
#include "core/results.hpp"
#include "reporters/table.hpp"

namespace pacenote::reporters {

struct ComparisonOptions {
  bool processing_time = false;
  /// Only the rows that Rally has: what one side lacks is dropped, a change from zero is one of 0.00%.
  bool rally_rows = false;
};

/// Rally's rows in Rally's order (behaviour E.2), and unless rally_rows also those of tasks that only one
/// race has ("—") and of percentiles that only one has ("n/a"). A change from zero has no percentage ("n/a").
/// Notes are empty.
Table comparison(const Results& baseline, const Results& contender, const ComparisonOptions& options);

struct RacedSide {
  RaceRecord race;
  Results results;
  /// What the nodes have in common or each has: number, operating system, processors, JVM, … Empty: not
  /// known.
  Json nodes = Json::object();
};

/// Who is compared with whom, in Rally's lines.
std::vector<std::string> comparison_head(const RaceRecord& baseline, const RaceRecord& contender);
/// Why the two may not be comparable, and what in them is incomplete (case O12).
std::vector<std::string> comparison_notes(const RacedSide& baseline, const RacedSide& contender);

/// "a=1, b=2"
std::string tags_text(const Json& user_tags);

}  // namespace pacenote::reporters
