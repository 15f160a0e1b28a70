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
  std::string plugin;         ///< as in check_operations()
  bool workload = false;      ///< of OpenSearch Benchmark, which is laxer in places
  bool targets_known = true;  ///< the track's indices and data streams could all be read
};

/// UserError with file and JSON path for all that is wrong. Operation types that nobody knows are named only
/// beside other mistakes: check_operations finds those of the challenge that is raced.
Track read_track(const Json& json, const ReadContext& context);

/// `target-throughput` or `target-interval` of a task object (behaviour A.5.1); none: unthrottled. UserError
/// where both are given or one cannot be read.
std::optional<TargetThroughput> target_of(const Json& task, const std::string& where);

/// UserError that names every operation type, parameter source and scheduler of the challenge that pacenote
/// does not have. `plugin`: the name of the track's Python file, which may be what registers them; empty: it
/// has none.
void check_operations(const Challenge& challenge, const std::string& plugin);

}  // namespace pacenote::tracks
