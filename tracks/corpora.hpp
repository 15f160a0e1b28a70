// Corpus files on disk: found, unpacked, generated, counted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "core/error.hpp"
#include "core/track.hpp"

namespace pacenote::tracks {

/// Called now and then while a file is made: what happens ("generating documents.json"), done and total (0:
/// unknown) in `unit` ("docs", "bytes"). Not called for work below a tenth of a second.
using PrepareProgress = std::function<void(const std::string& what, std::uint64_t done, std::uint64_t total,
                                           const std::string& unit)>;

struct PrepareOptions {
  std::filesystem::path data_dir;
  bool test_mode = false;
  bool offline = false;           ///< what is not there is not fetched
  bool bundled_documents = true;  ///< the track's own folder is looked into, too (--track-path)
  PrepareProgress progress;
};

/// Makes sure that every document set which the challenge's bulk tasks use is on disk with the declared size
/// and document count, and sets Documents::path. Looks in the track's folder, then in data_dir/<corpus name>;
/// fetches from its base-url what is in neither. Nothing half-made is left under the final name. UserError
/// with path, expected and found number (case O4).
void prepare(Track& track, const Challenge& challenge, const PrepareOptions& options);

/// What prepare() would find, without making anything: sizes that the track does not declare are filled in
/// from files that are there. Returns the document sets that are nowhere and cannot be fetched or made, and
/// where they were looked for.
std::map<const Documents*, UserError> look_for(Track& track, const PrepareOptions& options);

/// --data-dir's default: $PACENOTE_DATA, else $XDG_DATA_HOME/pacenote/data, else
/// ~/.local/share/pacenote/data.
std::filesystem::path default_data_dir();

}  // namespace pacenote::tracks
