// A challenge as text for people.
#pragma once

#include <string>
#include <vector>

#include "core/track.hpp"

namespace pacenote::cli {

/// The schedule, a line a task: clients, limits, target throughput; tasks of a parallel element one level
/// down.
std::string tree_of(const Challenge& challenge);

/// Corpora that the challenge uses, what it will delete and create, and its estimate.
std::string plan_of(const Track& track, const Challenge& challenge);

/// "4,000 documents, 12,345 requests, 1.2 GB on disk (…)".
std::string estimate_of(const Track& track, const Challenge& challenge);

}  // namespace pacenote::cli
