#include "tracks/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "core/suggest.hpp"
#include "tracks/embedded.hpp"

namespace pacenote::tracks {
namespace {

constexpr std::string_view bundled_prefix = "bundled/";

}  // namespace

TrackFiles::TrackFiles(std::filesystem::path folder, std::string main)
    : folder_(std::move(folder)), main_(std::move(main)) {}

TrackFiles TrackFiles::bundled(const std::string& name) {
  TrackFiles files({}, "track.json");
  files.bundle_ = name;
  const std::string prefix = fmt::format("{}{}/", bundled_prefix, name);
  for (const EmbeddedFile& file : embedded_files())
    if (file.path.starts_with(prefix))
      files.texts_[std::string(file.path.substr(prefix.size()))] = file.bytes;
  if (files.texts_.is_null())
    throw UserError(fmt::format("unknown track [{}]", name),
                    fmt::format("{}; a track of your own is given by --track-path, Rally's public ones by "
                                "--track-repository=default",
                                suggestion(name, bundled_names())));
  return files;
}

std::string TrackFiles::read(const std::string& file) const {
  if (!texts_.is_null()) {
    if (!texts_.contains(file))
      throw UserError(fmt::format("{} is missing", shown(file)),
                      "check the name in the track, and that the file is beside it");
    return texts_[file].get<std::string>();
  }
  if (!stays_inside(file))
    throw UserError(fmt::format("{} lies outside the track's folder", shown(file)),
                    "move it into the track's folder: files elsewhere are not read");
  check_links(folder_, file);
  std::ifstream in(folder_ / file, std::ios::binary);
  std::ostringstream text;
  std::error_code none;
  if (!std::filesystem::is_regular_file(folder_ / file, none))
    throw UserError(fmt::format("{} is missing", shown(file)),
                    "check the name in the track, and that the file is beside it");
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (in.bad() || !in.is_open())
    throw UserError(fmt::format("{} cannot be read", shown(file)), "check its permissions");
  return text.str();
}

bool TrackFiles::exists(const std::string& file) const {
  std::error_code none;
  return texts_.is_null() ? std::filesystem::exists(folder_ / file, none) : texts_.contains(file);
}

std::string TrackFiles::shown(const std::string& file) const {
  return texts_.is_null() ? (folder_ / file).string() : fmt::format("{}/{}", bundle_, file);
}

std::vector<std::string> bundled_names() {
  std::set<std::string> names;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(bundled_prefix) || !file.path.ends_with("/track.json")) continue;
    const std::string_view rest = file.path.substr(bundled_prefix.size());
    names.emplace(rest.substr(0, rest.rfind('/')));
  }
  return {names.begin(), names.end()};
}

void check_links(const std::filesystem::path& folder, const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code none;
  fs::path limit = fs::weakly_canonical(folder, none);
  if (fs::exists(limit.parent_path() / ".git", none)) limit = limit.parent_path();
  const fs::path real = fs::weakly_canonical(folder / file, none);
  if (std::mismatch(limit.begin(), limit.end(), real.begin(), real.end()).first == limit.end()) return;
  throw UserError(
      fmt::format("{} leads out of the track's folder, to {}", (folder / file).string(), real.string()),
      "put the file itself there; a corpus may also lie in the data folder");
}

bool stays_inside(const std::filesystem::path& path) {
  return !path.is_absolute() &&
         std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

}  // namespace pacenote::tracks
