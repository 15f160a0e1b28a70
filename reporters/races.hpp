// Races as lists and documents.
#pragma once

#include <vector>

#include "core/json.hpp"
#include "core/race_record.hpp"
#include "core/results.hpp"
#include "reporters/table.hpp"

namespace pacenote::reporters {

/// One line a race, in the order given (behaviour F.6).
Table races_table(const std::vector<RaceRecord>& races);

/// A race as Rally's race.json has it (behaviour F.4), pacenote's own fields under "pacenote". With results
/// only of tasks that are reported; null: without results.
Json race_document(const RaceRecord& race, const Results* results);

}  // namespace pacenote::reporters
