// The documents of a live cluster as a corpus on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/clock.hpp"
#include "core/notes.hpp"
#include "core/transport.hpp"
#include "tracks/corpora.hpp"
#include "tracks/create/half_made.hpp"

namespace pacenote::tracks {

struct ExtractOptions {
  std::filesystem::path folder;  ///< exists
  std::uint64_t batch = 1000;
  Paging paging = Paging::scroll;
  bool opensearch = false;
  PrepareProgress progress;  ///< may throw, which leaves what a later start goes on from
};

/// Reads all documents of `sources` into `<name>-documents.json`, then makes of it the .bz2, the offset table
/// and, as Rally has them for its test mode, the first thousand as `-documents-1k.json` and .bz2. Goes on
/// where `made` is, and keeps it and its file up to date. Nothing half-made stands under a final name.
/// UserError where the cluster or the disk does not go along.
Async<void> extract(Transport& cluster, Clock& clock, const std::string& name,
                    const std::vector<SourceIndex>& sources, const ExtractOptions& options, HalfMade& made,
                    Notes& notes);

/// Name of a corpus' file without folder: "<name>-documents.json".
std::string documents_file(const std::string& name);

}  // namespace pacenote::tracks
