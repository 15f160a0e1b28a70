#include "tracks/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace pacenote::tracks {
namespace {

/// The one who held it before has removed its file: a lock on that excludes nobody.
bool is_gone(int descriptor, const std::filesystem::path& file) {
  struct stat held {
  }, there{};
  return ::fstat(descriptor, &held) == 0 &&
         (::stat(file.c_str(), &there) != 0 || held.st_ino != there.st_ino);
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& file, const std::function<void(std::uint64_t)>& waiting)
    : file_(file) {
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    if (descriptor_ < 0) descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0) return;
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
      if (!is_gone(descriptor_, file_)) return;
      close();
      continue;
    }
    if (errno != EWOULDBLOCK && errno != EINTR) return;  // a file system without locks
    try {
      const auto waited = std::chrono::steady_clock::now() - start;
      waiting(static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(waited).count()));
    } catch (...) {
      close();
      throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::unlink(file_.c_str());
  close();
}

void FileLock::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace pacenote::tracks
