// How a race reads its track.
#pragma once

#include <filesystem>

#include "cli/options.hpp"
#include "core/cluster.hpp"
#include "core/notes.hpp"
#include "tracks/loader.hpp"

namespace pacenote::cli {

/// `cluster`: as far as it is known by now; its version says which branch of a repository is meant, its
/// flavour what templates see. Clones or updates the repository where one is named, into `data_dir`.
tracks::LoadOptions load_options(const RaceOptions& options, const ClusterInfo& cluster,
                                 bool serverless_operator, const std::filesystem::path& data_dir,
                                 Notes& notes);

}  // namespace pacenote::cli
