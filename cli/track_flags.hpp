// The flags of every verb that reads a track without racing it; names and meanings are those of `race`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "core/notes.hpp"
#include "tracks/corpora.hpp"
#include "tracks/loader.hpp"

namespace pacenote::cli {

struct TrackFlags {
  std::string track, track_path, repository, revision, server_version, challenge, params, include, exclude;
  std::string data_dir, python, build_flavor = "default";
  bool ignore_unused = false, test_mode = false, serverless_operator = false, offline = false;
};

/// `flags` outlives the command.
void add_track_flags(CLI::App& command, TrackFlags& flags);

/// Clones or updates the repository where one is named. UserError for flags that do not go together.
tracks::LoadOptions load_options(const TrackFlags& flags);

/// Where the corpora of the track are looked for.
tracks::PrepareOptions prepare_options(const TrackFlags& flags);

/// Notes on standard error, at once.
class PlainNotes final : public Notes {
 public:
  void info(const std::string& text) override;
  void warning(const std::string& text) override;
};

}  // namespace pacenote::cli
