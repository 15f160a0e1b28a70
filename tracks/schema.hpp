// What a track file must look like (behaviour A.5), as a JSON schema of our own.
#pragma once

#include <string>
#include <vector>

#include "core/json.hpp"

namespace pacenote::tracks {

struct SchemaProblem {
  std::vector<std::string> path;  ///< keys, and positions in lists as numbers; empty: the whole
  std::string text;               ///< "schedule[0].clients: must be …; found …"
};

/// Every way in which `track` breaks the schema, outermost first. Empty: it does not.
std::vector<SchemaProblem> schema_problems(const Json& track);

/// The JSON schema, draft-07.
const Json& track_schema();

}  // namespace pacenote::tracks
