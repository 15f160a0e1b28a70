// What a track file must look like (behaviour A.5), as a JSON schema of our own.
#pragma once

#include <string>
#include <vector>

#include "core/json.hpp"

namespace pacenote::tracks {

/// Every way in which `track` breaks the schema, as "schedule[0].clients: must be …; found …", outermost
/// first. Empty: it does not.
std::vector<std::string> schema_problems(const Json& track);

/// The JSON schema, draft-07.
const Json& track_schema();

}  // namespace pacenote::tracks
