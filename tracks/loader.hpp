// A track from disk or from the binary, rendered, checked and turned into values.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "core/track.hpp"
#include "tracks/host.hpp"

namespace pacenote::tracks {

struct LoadOptions {
  std::string track;                 ///< a bundled track; beside track_path: what that one is called
  std::filesystem::path track_path;  ///< a folder with track.json or workload.json, or a .json file
  std::string challenge;             ///< empty: the default one
  Json params = Json::object();
  bool ignore_unused_params = false;
  std::vector<std::string> include_tasks,
      exclude_tasks;  ///< NAME, type:TYPE, tag:TAG; at most one list given
  bool test_mode = false;
  bool assertions = true;                ///< those of operations are kept
  std::string build_flavor = "default";  ///< as the cluster's root says; "serverless": see filter_serverless
  bool serverless_operator = false;
  Json now;                     ///< epoch seconds for templates; null: the clock's
  std::string python;           ///< --python; empty: $PACENOTE_PYTHON, else as README says
  SideCar* side_car = nullptr;  ///< borrowed, for who loads many tracks; null: one for this track
};

struct Loaded {
  Track track;          ///< all challenges; filters and test mode are applied to the selected one
  Challenge challenge;  ///< the selected one
  std::vector<std::string> warnings, notes;
  std::set<std::string> parameters;  ///< every name that the track's templates know
  bool flavored = false;             ///< its templates look at what flavour the cluster is
  std::string plugin;                ///< the track's Python file, where there is one
};

/// UserError, with file and JSON path, for whatever is wrong with the track or the options.
Loaded load(const LoadOptions& options);

/// load() without its last step, the check that pacenote has what the selected challenge's tasks need.
Loaded read(const LoadOptions& options);

/// What the track file becomes: its text after assembly and rendering, which need not be JSON.
std::string rendered(const LoadOptions& options);

/// Names and one-line descriptions of what ships in the binary.
std::vector<std::pair<std::string, std::string>> bundled_tracks();

}  // namespace pacenote::tracks
