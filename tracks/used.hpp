// Which of a track's documents are needed.
#pragma once

#include <set>

#include "core/track.hpp"

namespace pacenote::tracks {

/// The document sets that a bulk task reads, none for other tasks. UserError where none fits its `corpora`,
/// `indices` and `data-streams`.
std::set<const Documents*> used_by(const Track& track, const Task& task);
/// Those of all tasks.
std::set<const Documents*> used_by(const Track& track, const Challenge& challenge);

}  // namespace pacenote::tracks
