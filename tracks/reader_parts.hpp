// What the files of the reader share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tracks/problems.hpp"
#include "tracks/reader.hpp"

namespace pacenote::tracks {

/// `where` is file and JSON path.
[[noreturn]] inline void wrong(const std::string& where, const std::string& what,
                               const std::string& hint = kTrackHint) {
  throw UserError(where + ": " + what, hint);
}

using Operations = std::map<std::string, Operation>;

// What is wrong goes into `problems`, and reading goes on behind it. A list element that is null was taken
// out.

/// Indices and data streams.
void read_indices(const Json& json, const ReadContext& context, Track& track, Problems& problems);
/// `key`: templates, composable-templates or component-templates.
std::vector<Template> read_templates(const Json& json, const char* key, const ReadContext& context,
                                     Problems& problems);
Operations read_operations(const Json& track, const ReadContext& context, Problems& problems);
std::vector<Parallel> read_schedule(const Json& schedule, const Operations& operations,
                                    const std::string& where, Problems& problems);
/// Needs the track's indices and data streams, which decide the targets.
std::vector<Corpus> read_corpora(const Json& json, const Track& track, const ReadContext& context,
                                 Problems& problems);

}  // namespace pacenote::tracks
