// Where the shared material lies (vectors, captures, tracks); absent on a user's machine.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>

#include "core/json.hpp"

namespace pacenote::test {

/// The checkout: the working directory of the tests, or the folder above it that holds core/.
inline std::filesystem::path source_folder() {
  std::filesystem::path folder = std::filesystem::current_path();
  while (!std::filesystem::exists(folder / "core" / "units.hpp") && folder != folder.root_path())
    folder = folder.parent_path();
  return folder;
}

/// ../shared beside the checkout. None: the test should `return` after this has said that it was skipped. In
/// CI a missing file of an existing folder aborts.
inline std::optional<std::filesystem::path> shared(const std::string& what) {
  const std::filesystem::path path = source_folder().parent_path() / "shared" / what;
  if (std::filesystem::exists(path)) return path;
  std::cout << "SKIPPED: ../shared/" << what << " is not there\n";
  const char* ci = std::getenv("CI");
  if (ci != nullptr && std::string(ci) == "true" && std::filesystem::exists(path.parent_path())) std::abort();
  return std::nullopt;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline Json read_json(const std::filesystem::path& path) { return parse_json_strictly(read_file(path)); }

}  // namespace pacenote::test
