#include "cli/race_track.hpp"

namespace pacenote::cli {

tracks::LoadOptions load_options(const RaceOptions& options, const ClusterInfo& cluster,
                                 bool serverless_operator, const std::filesystem::path& data_dir,
                                 Notes& notes) {
  tracks::LoadOptions load;
  load.track = options.track;
  load.track_path = options.track_path;
  if (!options.repository.source.empty()) {
    tracks::RepositoryOptions repository = options.repository;
    repository.folder = data_dir / "tracks";
    repository.server_version = cluster.version;
    repository.offline = options.offline;
    load.track_path = tracks::track_of_repository(repository, options.track, notes);
  }
  load.challenge = options.challenge;
  load.params = options.track_params;
  load.ignore_unused_params = options.ignore_unused_track_params;
  load.include_tasks = options.include_tasks;
  load.exclude_tasks = options.exclude_tasks;
  load.test_mode = options.test_mode;
  load.assertions = options.enable_assertions;
  if (!cluster.flavor.empty()) load.build_flavor = cluster.flavor;
  load.serverless_operator = serverless_operator;
  return load;
}

}  // namespace pacenote::cli
