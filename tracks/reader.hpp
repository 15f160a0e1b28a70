// A track's JSON into values, with every rule of behaviour A.5 checked. Pure: no files, no clock.
#pragma once

#include <functional>
#include <string>

#include "core/json.hpp"
#include "core/track.hpp"

namespace pacenote::tracks {

struct ReadContext {
  std::string name;  ///< the track's
  std::string file;  ///< for messages
  /// The parsed content of a file that the track names (index bodies, templates).
  std::function<Json(const std::string& file)> body;
};

/// UserError with file and JSON path for whatever is wrong, except operation types that nobody knows:
/// check_operations finds those.
Track read_track(const Json& json, const ReadContext& context);

/// `target-throughput` or `target-interval` of a task object (behaviour A.5.1); none: unthrottled. UserError
/// where both are given or one cannot be read.
std::optional<TargetThroughput> target_of(const Json& task, const std::string& where);

/// UserError, with the nearest name, for the first operation type, parameter source or scheduler that
/// pacenote does not have. `plugin`: the track has a track.py, which may be what registers it.
void check_operations(const Challenge& challenge, bool plugin);

}  // namespace pacenote::tracks
