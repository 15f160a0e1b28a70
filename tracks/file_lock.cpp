#include "tracks/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace pacenote::tracks {

FileLock::FileLock(const std::filesystem::path& file, const std::function<void(std::uint64_t)>& waiting)
    : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) return;
  const auto start = std::chrono::steady_clock::now();
  while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return;  // a file system without locks
    try {
      const auto waited = std::chrono::steady_clock::now() - start;
      waiting(static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(waited).count()));
    } catch (...) {
      ::close(descriptor_);
      throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace pacenote::tracks
