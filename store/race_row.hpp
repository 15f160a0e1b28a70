// A race as a row of the table `race`; store/*.cpp only.
#pragma once

#include <string>

#include "core/race_record.hpp"
#include "store/database.hpp"

namespace pacenote::store {

/// Needs its own transaction around it.
void insert_race(Database& database, const RaceRecord& race);
/// False if there is no such race.
bool update_race(Database& database, const RaceRecord& race);

/// What race_from() reads, for "SELECT … FROM race".
extern const char* const kRaceColumns;
enum class RaceColumn : int { id, track, challenge, user_tags };  ///< those that a filter looks at

/// A race that says `running` but whose process is gone is `interrupted`.
RaceRecord race_from(const Database& database, const Query& row);

}  // namespace pacenote::store
