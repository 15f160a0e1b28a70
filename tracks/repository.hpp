// Tracks of a git repository, by the git program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/notes.hpp"

namespace pacenote::tracks {

struct RepositoryOptions {
  std::string source;            ///< a URL, a path, or "default": Rally's public tracks
  std::string revision;          ///< branch, tag or commit; empty: by the server's version
  std::string server_version;    ///< empty: the newest, master
  std::filesystem::path folder;  ///< where clones are kept
  bool offline = false;          ///< only what is cloned already
};

/// Clones or updates, checks out what is asked for, and returns the folder of the track in the clone.
/// UserError, with the nearest names, where there is no such track; a failed update of a clone is only a
/// warning.
std::filesystem::path track_of_repository(const RepositoryOptions& options, const std::string& track,
                                          Notes& notes);

/// The commit that is checked out, as short as git (and Rally's track-revision) writes it. `folder`: in a
/// clone.
std::string revision_of(const std::filesystem::path& folder);

/// Every folder below `folder`, itself included, that has a track.json or workload.json: relative, sorted.
std::vector<std::filesystem::path> track_folders(const std::filesystem::path& folder);

/// The branch for a version by Rally's rules (behaviour A.1): "8.15.2", "8.15", the nearest minor before it,
/// "8", else master where the version is newer than all; empty where none fits.
std::string branch_for(const std::vector<std::string>& branches, const std::string& version);

}  // namespace pacenote::tracks
