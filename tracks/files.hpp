// Where a track's own files are: a folder on disk, or the binary.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/json.hpp"

namespace pacenote::tracks {

class TrackFiles {
 public:
  /// Files of `folder`. `main`: the track file in it.
  TrackFiles(std::filesystem::path folder, std::string main);
  /// The bundled track of that name. UserError with the nearest name where there is none.
  static TrackFiles bundled(const std::string& name);

  /// Text of a file whose name is relative to the track's folder. UserError where it is missing, cannot be
  /// read or lies outside.
  std::string read(const std::string& file) const;
  bool exists(const std::string& file) const;
  /// How messages name it.
  std::string shown(const std::string& file) const;
  /// Every file of a bundled track by name; null for a folder on disk.
  const Json& texts() const { return texts_; }
  const std::filesystem::path& folder() const { return folder_; }  ///< empty for a bundled track
  const std::string& main() const { return main_; }

 private:
  std::filesystem::path folder_;
  std::string main_, bundle_;
  Json texts_;
};

std::vector<std::string> bundled_names();

/// UserError where links lead `file` out of a track's folder `folder`, and out of the git repository whose
/// part it is: a track of others must not send files of its user to a cluster.
void check_links(const std::filesystem::path& folder, const std::filesystem::path& file);

/// True for a relative path none of whose parts is `..`: it stays below the folder that it is joined to.
bool stays_inside(const std::filesystem::path& path);

}  // namespace pacenote::tracks
