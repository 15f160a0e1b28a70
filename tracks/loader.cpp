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

constexpr const char* reserved[] = {"build_flavor", "serverless_operator", "now", "glob"};

struct Located {
  TrackFiles files;
  std::string name;
};

/// behaviour A.1: a folder with track.json, a .json file, or the name of a bundled track.
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
    if (!std::filesystem::exists(folder / "track.json", none))
      throw UserError(fmt::format("{} has no track.json", folder.string()),
                      "--track-path takes a track's folder or .json file");
    return {TrackFiles(folder, "track.json"), folder.filename().string()};
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
  if (!params.is_object()) throw UserError("--track-params must be an object or a list of key:value");
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

void warn_about_parts(const Json& json, const TrackFiles& files, std::vector<std::string>& warnings) {
  if (files.exists("track.py"))
    warnings.push_back(
        fmt::format("{} is not run: pacenote does not run Python plugins yet", files.shown("track.py")));
  if (json.contains("dependencies"))
    warnings.push_back(fmt::format("the track's Python dependencies are not installed: {}",
                                   fmt::join(json["dependencies"].get<std::vector<std::string>>(), ", ")));
}

}  // namespace

Loaded read(const LoadOptions& options) {
  check_reserved(options.params);
  const Located located = locate(options);
  const TrackFiles& files = located.files;
  Renderer renderer(files, {options.params, options.build_flavor, false, options.python, Json()});
  const Json json = renderer.read(files.main(), true);
  const auto body = [&](const std::string& file) { return renderer.read(file, false); };
  Loaded out;
  out.track = read_track(json, {located.name, files.shown(files.main()), body});
  out.track.directory = files.folder();
  out.track.bundled = options.track_path.empty();
  out.track.params = options.params;
  out.warnings = renderer.warnings();
  check_unused(options, renderer.declared(), out.warnings);
  warn_about_parts(json, files, out.warnings);
  if (options.test_mode) apply_test_mode(out.track);
  Challenge& challenge = selected(out.track, options.challenge);
  filter_tasks(challenge, options.include_tasks, options.exclude_tasks);
  out.challenge = challenge;
  return out;
}

Loaded load(const LoadOptions& options) {
  Loaded out = read(options);
  check_operations(out.challenge,
                   !out.track.bundled && std::filesystem::exists(out.track.directory / "track.py"));
  return out;
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
