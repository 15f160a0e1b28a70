// The files of a track that was made from a cluster.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tracks/create/described.hpp"

namespace pacenote::tracks {

/// One index or data stream with its corpus.
struct MadePart {
  Described described;
  std::uint64_t documents = 0, bytes = 0, compressed_bytes = 0;  ///< 0 documents: it has no corpus
};

/// Texts by file name: track.json, a body for each part, operations/default.json, challenges/default.json, in
/// the form of Rally's create-track. Shards, replicas, further settings, bulk size, share of the documents
/// and clients are parameters of the track. `parts` are either all indices or all data streams.
std::map<std::string, std::string> track_texts(const std::string& description,
                                               const std::vector<MadePart>& parts);

}  // namespace pacenote::tracks
