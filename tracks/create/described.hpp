// What a live cluster says of the indices and data streams that are to become a track.
#pragma once

#include <string>
#include <vector>

#include "core/json.hpp"
#include "core/notes.hpp"
#include "core/transport.hpp"
#include "tracks/create/pager.hpp"

namespace pacenote::tracks {

struct Described {
  std::string name;
  bool stream = false;
  Json settings = Json::object();  ///< without what only this very index can have
  Json mappings = Json::object();
  std::vector<SourceIndex> sources;  ///< whose documents are its own: itself, or a stream's backing indices
};

/// Those that the names and patterns mean, each once, in the order found; hidden indices only where they are
/// not just part of `*` or `_all` (rally tracker/index.py). UserError for one that means nothing.
Async<std::vector<Described>> describe_indices(Transport& cluster, std::vector<std::string> patterns,
                                               Notes& notes);
Async<std::vector<Described>> describe_streams(Transport& cluster, std::vector<std::string> patterns,
                                               Notes& notes);

}  // namespace pacenote::tracks
