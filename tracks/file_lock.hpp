// One process works while another waits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace pacenote::tracks {

/// Holds an advisory lock (flock) on a file, which is made, and removed in the end; the system lets go of it
/// however the process ends.
class FileLock {
 public:
  /// Waits as long as another process holds it; `waiting` is told the seconds about ten times a second and
  /// may throw. A folder that cannot be written is not locked: nothing is made there.
  FileLock(const std::filesystem::path& file, const std::function<void(std::uint64_t seconds)>& waiting);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  void close();
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace pacenote::tracks
