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

/// What RaceRows reads, for "SELECT … FROM race"; the brief ones without what a table of races does not show.
extern const char* const kRaceColumns;
extern const char* const kBriefRaceColumns;
enum class RaceColumn : int { id, track, challenge, user_tags };  ///< those that a filter looks at

/// Reads races off rows.
class RaceRows {
 public:
  explicit RaceRows(const Database& database) : database_(database) {}
  /// A race that says `running` but whose process is gone is `interrupted`.
  RaceRecord race(const Query& row);

 private:
  const Database& database_;
  std::string cluster_text_;  // of the last row: neighbours are mostly of one cluster
  ClusterInfo cluster_;
};

}  // namespace pacenote::store
