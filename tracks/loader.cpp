#include "tracks/loader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/suggest.hpp"
#include "tracks/files.hpp"
#include "tracks/filter.hpp"
#include "tracks/json_text.hpp"
#include "tracks/reader.hpp"
#include "tracks/render.hpp"

namespace pacenote::tracks {
namespace {

constexpr const char* workload_file = "workload.json";  // of OpenSearch Benchmark
constexpr const char* reserved[] = {"build_flavor", "serverless_operator", "now", "glob"};

struct Located {
  TrackFiles files;
  std::string name;
};

/// behaviour A.1: a folder with track.json (or workload.json), a .json file, or the name of a bundled track.
Located locate(const LoadOptions& options) {
  if (options.track_path.empty()) {
    if (options.track.empty())
      throw UserError("no track was named",
                      fmt::format("give --track ({}) or --track-path", fmt::join(bundled_names(), ", ")));
    return {TrackFiles::bundled(options.track), options.track};
  }
  std::error_code none;
  const std::filesystem::path path = std::filesystem::absolute(options.track_path, none).lexically_normal();
  if (std::filesystem::is_directory(path, none)) {
    const std::filesystem::path folder = path.filename().empty() ? path.parent_path() : path;
    for (const char* main : {"track.json", workload_file})
      if (std::filesystem::exists(folder / main, none))
        return {TrackFiles(folder, main), folder.filename().string()};
    throw UserError(fmt::format("{} has no track.json", folder.string()),
                    "--track-path takes a track's folder or .json file");
  }
  if (!std::filesystem::exists(path, none))
    throw UserError(fmt::format("track {} does not exist", path.string()),
                    "--track-path takes a track's folder or .json file");
  if (path.extension() != ".json")
    throw UserError(fmt::format("track {} is no .json file", path.string()),
                    "--track-path takes a track's folder or .json file");
  return {TrackFiles(path.parent_path(), path.filename().string()), path.stem().string()};
}

void check_reserved(const Json& params) {
  if (!params.is_object())
    throw UserError("--track-params must be an object or a list of key:value",
                    "for example --track-params=bulk_size:500,number_of_replicas:0");
  for (const char* name : reserved)
    if (params.contains(name))
      throw UserError(fmt::format("track parameter `{}` is reserved: its value is set by pacenote", name),
                      "leave it out of --track-params");
}

/// Parameters that no file of the track mentions (behaviour A.4): most often a slip of the pen.
void check_unused(const LoadOptions& options, const std::set<std::string>& declared,
                  std::vector<std::string>& warnings) {
  const std::vector<std::string> known(declared.begin(), declared.end());
  std::vector<std::string> unused, near;
  for (const auto& [name, value] : options.params.items()) {
    if (declared.contains(name)) continue;
    unused.push_back(fmt::format("`{}`", name));
    if (const auto close = nearest(name, known))
      near.push_back(fmt::format("{} instead of {}", *close, name));
  }
  if (unused.empty()) return;
  const std::string what = fmt::format("the track does not use the parameter{} {}",
                                       unused.size() > 1 ? "s" : "", fmt::join(unused, ", "));
  const std::string all =
      known.empty() ? "it has no parameters" : fmt::format("it knows {}", fmt::join(known, ", "));
  const std::string hint =
      near.empty() ? all : fmt::format("did you mean {}? {}", fmt::join(near, ", "), all);
  if (!options.ignore_unused_params) throw UserError(what, hint);
  warnings.push_back(fmt::format("{} ({})", what, hint));
}

Challenge& selected(Track& track, const std::string& name) {
  std::vector<std::string> names;
  for (Challenge& challenge : track.challenges) {
    names.push_back(challenge.name);
    if (name.empty() ? challenge.is_default : challenge.name == name) return challenge;
  }
  throw UserError(fmt::format("unknown challenge [{}] for track [{}]", name, track.name),
                  suggestion(name, names));
}

std::string plugin_of(const TrackFiles& files) {
  for (const char* plugin : {"track.py", "workload.py"})
    if (files.exists(plugin)) return plugin;
  return {};
}

/// What of the track is Python: named, not run.
void note_python(const Json& json, const TrackFiles& files, Loaded& out) {
  if (!out.plugin.empty()) {
    const bool processor = files.read(out.plugin).find("register_track_processor") != std::string::npos;
    out.warnings.push_back(
        fmt::format("{} is not run: pacenote does not run Python plugins yet{}", files.shown(out.plugin),
                    processor ? "; it has a track processor, which may change tasks and corpora" : ""));
  }
  if (json.contains("dependencies"))
    out.warnings.push_back(
        fmt::format("the track's Python dependencies are not installed: {}",
                    fmt::join(json["dependencies"].get<std::vector<std::string>>(), ", ")));
}

/// Filters and test mode, in the order of behaviour A.5.3.
void narrow(const LoadOptions& options, Track& track, Loaded& out) {
  Challenge& challenge = selected(track, options.challenge);
  filter_tasks(challenge, options.include_tasks, options.exclude_tasks);
  if (options.build_flavor == "serverless") {
    const std::vector<std::string> gone = filter_serverless(challenge, options.serverless_operator);
    if (!gone.empty())
      out.notes.push_back(fmt::format("Excluding [{}] as challenge [{}] is run on serverless.",
                                      fmt::join(gone, "], ["), challenge.name));
  }
  if (options.test_mode) apply_test_mode(track);
  if (!options.assertions) drop_assertions(challenge);
  out.challenge = challenge;
}

TemplateSettings settings_of(const LoadOptions& options) {
  return {options.params, options.build_flavor, options.serverless_operator, options.now};
}

}  // namespace

Loaded read(const LoadOptions& options) {
  check_reserved(options.params);
  Located located = locate(options);
  if (!options.track.empty()) located.name = options.track;
  const TrackFiles& files = located.files;
  SideCar own(options.python);
  Renderer renderer(files, settings_of(options), options.side_car == nullptr ? own : *options.side_car);
  const Json json = renderer.read(files.main(), true);
  ReadContext context;
  context.name = located.name;
  context.file = files.shown(files.main());
  context.workload = files.main() == workload_file || json.contains("test_procedures");
  context.body = [&](const std::string& file) { return renderer.read(file, false); };
  context.plugin = plugin_of(files);
  Loaded out;
  out.plugin = context.plugin;
  out.track = read_track(json, context);
  out.track.directory = files.folder();
  out.track.bundled = options.track_path.empty();
  out.track.params = options.params;
  out.track.restricted = options.build_flavor == "serverless" && !options.serverless_operator;
  out.flavored = renderer.flavored();
  out.warnings = renderer.warnings();
  out.parameters = renderer.declared();
  check_unused(options, renderer.declared(), out.warnings);
  note_python(json, files, out);
  narrow(options, out.track, out);
  return out;
}

Loaded load(const LoadOptions& options) {
  Loaded out = read(options);
  check_operations(out.challenge, out.plugin);
  return out;
}

std::string rendered(const LoadOptions& options) {
  check_reserved(options.params);
  const Located located = locate(options);
  SideCar own(options.python);
  Renderer renderer(located.files, settings_of(options),
                    options.side_car == nullptr ? own : *options.side_car);
  return renderer.text(located.files.main(), true);
}

std::vector<std::pair<std::string, std::string>> bundled_tracks() {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string& name : bundled_names()) {
    // The description comes first and is plain text, so that listing tracks needs no Python.
    const std::string text = TrackFiles::bundled(name).read("track.json");
    const std::string key = "\"description\": \"";
    const std::size_t start = text.find(key);
    const std::size_t end = start == std::string::npos ? start : text.find('"', start + key.size());
    out.emplace_back(
        name, end == std::string::npos ? "" : text.substr(start + key.size(), end - start - key.size()));
  }
  return out;
}

}  // namespace pacenote::tracks
