// Makes a track of what a live cluster holds, as Rally's create-track does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/cluster.hpp"
#include "core/notes.hpp"
#include "core/transport.hpp"
#include "tracks/corpora.hpp"

namespace pacenote::tracks {

struct CreateTrackOptions {
  std::string track;                               ///< its name
  std::filesystem::path output;                    ///< its folder is made in there
  std::vector<std::string> indices, data_streams;  ///< names or patterns; exactly one of the two is given
  std::uint64_t batch = 1000;                      ///< documents a page
  PrepareProgress progress;                        ///< may throw; a later call goes on from there
};

struct CreatedTrack {
  std::filesystem::path folder;
  std::uint64_t documents = 0, bytes = 0, compressed_bytes = 0;
};

/// One index after the other: settings, mappings, documents. track.json is written last, so that a folder
/// with one is whole. UserError: no such index, a folder that holds a track already or that another process
/// writes to, and whatever the cluster or the disk refuses.
Async<CreatedTrack> create_track(Transport& cluster, Clock& clock, const ClusterInfo& info,
                                 const CreateTrackOptions& options, Notes& notes);

}  // namespace pacenote::tracks
