#include "cli/track_flags.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "core/error.hpp"
#include "tracks/repository.hpp"

namespace pacenote::cli {

void add_track_flags(CLI::App& command, TrackFlags& flags) {
  command.add_option("--track", flags.track, "A bundled track, or one of --track-repository.")
      ->type_name("NAME");
  command.add_option("--track-path", flags.track_path, "A folder with a track.json, or the file itself.")
      ->type_name("PATH");
  command
      .add_option("--track-repository", flags.repository,
                  "A git repository: a URL, a path, or default for Rally's public tracks.")
      ->type_name("URL");
  command.add_option("--track-revision", flags.revision, "Of the repository: a branch, tag or commit.")
      ->type_name("REVISION");
  command
      .add_option("--server-version", flags.server_version,
                  "The version of the server whose branch of the repository is meant. Default: the newest.")
      ->type_name("X.Y.Z");
  command.add_option("--challenge", flags.challenge, "Default: the track's own.")->type_name("NAME");
  command.add_option("--track-params", flags.params, "JSON, a .json file, or a list k:v,k2:v2.")
      ->type_name("PARAMS");
  command.add_flag("--ignore-unused-track-params", flags.ignore_unused,
                   "Only warn of parameters that the track does not know.");
  command.add_option("--include-tasks", flags.include, "Only these: NAME, type:TYPE or tag:TAG, by comma.")
      ->type_name("LIST");
  command.add_option("--exclude-tasks", flags.exclude, "All but these.")->type_name("LIST");
  command.add_flag("--test-mode", flags.test_mode, "As a race with --test-mode would run it.")
      ->disable_flag_override();
  command.add_option("--build-flavor", flags.build_flavor, "default or serverless. Default: default.")
      ->type_name("NAME");
  command.add_flag("--serverless-operator", flags.serverless_operator,
                   "With --build-flavor=serverless: as who operates it.");
  command.add_option("--data-dir", flags.data_dir, "Where corpora and clones are kept.")->type_name("DIR");
  command.add_option("--python", flags.python, "A python3 that has jinja2, for tracks with templates.")
      ->type_name("PATH");
  command.add_flag("--offline", flags.offline, "Update no repository.");
}

namespace {

std::filesystem::path data_dir(const TrackFlags& flags) {
  return flags.data_dir.empty() ? tracks::default_data_dir() : std::filesystem::path(flags.data_dir);
}

}  // namespace

tracks::PrepareOptions prepare_options(const TrackFlags& flags) {
  tracks::PrepareOptions out;
  out.data_dir = data_dir(flags);
  out.test_mode = flags.test_mode;
  out.offline = flags.offline;
  out.bundled_documents = !flags.track_path.empty();
  return out;
}

tracks::LoadOptions load_options(const TrackFlags& flags) {
  if (!flags.track_path.empty() && (!flags.track.empty() || !flags.repository.empty()))
    throw UserError("--track-path excludes --track and --track-repository", "give one of them",
                    ExitCode::usage);
  tracks::LoadOptions out;
  out.track = flags.track;
  out.track_path = flags.track_path;
  out.challenge = flags.challenge;
  if (!flags.params.empty()) out.params = to_object("--track-params", flags.params);
  out.ignore_unused_params = flags.ignore_unused;
  out.include_tasks = csv_to_list("--include-tasks", flags.include);
  out.exclude_tasks = csv_to_list("--exclude-tasks", flags.exclude);
  out.test_mode = flags.test_mode;
  out.build_flavor = flags.build_flavor;
  out.serverless_operator = flags.serverless_operator;
  out.python = flags.python;
  if (flags.repository.empty() && flags.revision.empty()) return out;
  const std::string source = flags.repository.empty() ? "default" : flags.repository;
  const std::filesystem::path data = data_dir(flags);
  PlainNotes notes;
  out.track_path = tracks::track_of_repository(
      {source, flags.revision, flags.server_version, data / "tracks", flags.offline}, flags.track, notes);
  return out;
}

void PlainNotes::info(const std::string& text) { say("INFO", text); }
void PlainNotes::warning(const std::string& text) { say("WARNING", text); }

}  // namespace pacenote::cli
