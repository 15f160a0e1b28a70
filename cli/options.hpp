// The command line of `race` as plain values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/cluster.hpp"
#include "core/executor.hpp"
#include "core/json.hpp"
#include "tracks/repository.hpp"

namespace CLI {
class App;
}

namespace pacenote::cli {

struct RaceOptions {
  // What to race. One of track and track_path is set.
  std::string track;
  std::filesystem::path track_path;
  std::string challenge;               ///< empty: the track's default
  Json track_params = Json::object();  ///< may hold secret_* parameters: see settings_for_store
  bool ignore_unused_track_params = false;
  std::vector<std::string> include_tasks, exclude_tasks;  ///< at most one list is not empty
  bool test_mode = false;
  bool enable_assertions = false;
  tracks::RepositoryOptions repository;  ///< `source` empty: --track is a bundled one

  // Whom.
  bool sandbox = false;  ///< neither --target-hosts nor --pipeline was given; then `target` has no hosts
  Cluster target;        ///< holds secrets
  std::string pipeline = "benchmark-only";
  bool skip_rest_api_check = false;
  bool allow_destructive = false;  ///< --allow-destructive or PACENOTE_ALLOW_DESTRUCTIVE=1

  // What is measured, and how it is kept.
  OnError on_error = OnError::continue_;
  std::vector<std::string> telemetry;  ///< names are not checked here
  Json telemetry_params = Json::object();
  Json user_tags = Json::object();
  std::string race_id;                    ///< --race-id, or a fresh uuid4: never empty
  std::filesystem::path store, data_dir;  ///< empty: store::default_file(), tracks::default_data_dir()
  std::string python;                     ///< empty: $PACENOTE_PYTHON, else the first that has jinja2
  std::uint32_t driver_threads = 0;       ///< 0: as many as fit

  // What is shown.
  std::string report_format = "markdown";  ///< a name in the registry of formats; not checked here
  std::filesystem::path report_file;       ///< empty: none
  std::string report_numbers_align = "decimal", show_in_report = "available";
  bool show_processing_time = false;
  std::vector<std::string> fail_on;  ///< gates; they parse
  std::filesystem::path junit_file;  ///< empty: none
  bool quiet = false;
  bool offline = false;  ///< no downloads
};

/// Declares every flag of the table on `command`. What it returns reads them after the parse; that throws
/// UserError (ExitCode::usage for a value of the wrong form, ExitCode::failed for refused flags and for what
/// is wrong with files and hosts). `command` outlives it.
std::function<RaceOptions()> add_race_flags(CLI::App& command);

/// All options as values, secrets left out: no passwords, keys, request headers or userinfo of hosts, and
/// track parameters named secret_* as "<hidden>".
Json settings_for_store(const RaceOptions& options);

/// Track parameters with the values of those named secret_* replaced by "<hidden>".
Json without_secrets(const Json& track_params);

}  // namespace pacenote::cli
