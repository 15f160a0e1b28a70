// What the tests of tracks/ share: a folder of its own, and operation types that may not be registered yet.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/registry.hpp"
#include "core/runner.hpp"
#include "core/schedule.hpp"
#include "tracks/problems.hpp"

namespace pacenote::test {

/// A folder that goes with the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "pacenote-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~Folder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

/// Adds the parts of that name which are missing, and takes them away again.
template <class Part>
class FakeParts {
 public:
  explicit FakeParts(std::vector<std::pair<std::string, Part>> parts) {
    for (auto& [name, part] : parts)
      if (Registry<Part>::all().emplace(name, part).second) added_.push_back(name);
  }
  ~FakeParts() {
    for (const std::string& name : added_) Registry<Part>::all().erase(name);
  }
  FakeParts(const FakeParts&) = delete;
  FakeParts& operator=(const FakeParts&) = delete;

 private:
  std::vector<std::string> added_;
};

inline OperationType fake_type(bool admin) {
  OperationType type;
  type.admin = admin;
  return type;
}

/// The operation types that the tracks of these tests use, administrative or not as in behaviour B.2.
inline std::vector<std::pair<std::string, OperationType>> rally_types() {
  std::vector<std::pair<std::string, OperationType>> out;
  for (const char* name : {"bulk", "search", "raw-request", "index-stats", "node-stats", "scroll-search"})
    out.emplace_back(name, fake_type(false));
  for (const char* name : {"force-merge", "cluster-health", "refresh", "create-index", "delete-index",
                           "sleep", "put-settings", "create-ilm-policy", "delete-ilm-policy"})
    out.emplace_back(name, fake_type(true));
  return out;
}

/// The UserError that `act` throws as "message | hint"; empty where it throws none.
template <class Act>
std::string refusal(const Act& act) {
  try {
    act();
  } catch (const UserError& error) {
    const bool general = error.hint() == tracks::kTrackHint;
    return std::string(error.what()) + " | " + (general ? std::string() : error.hint());
  }
  return {};
}

}  // namespace pacenote::test
