#include "cli/screen.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace pacenote::cli {

Screen::Screen(int fd) : fd_(fd) {
  struct stat info {};
  if (fstat(fd, &info) != 0 || S_ISREG(info.st_mode))
    return;  // a file takes everything, at its shared offset
  // O_NONBLOCK on `fd` itself would hit the shell and whoever else has the same terminal open.
  const int own =
      open(("/proc/self/fd/" + std::to_string(fd)).c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  own_ = own >= 0;
  may_block_ = !own_;
  if (own_) fd_ = own;
}

Screen::~Screen() {
  if (own_) close(fd_);
}

std::size_t Screen::write_some(std::string_view text) {
  std::size_t size = text.size();
  if (may_block_) {
    pollfd ready{fd_, POLLOUT, 0};
    if (poll(&ready, 1, 0) != 1) return 0;
    size = std::min<std::size_t>(size, 256);
  }
  const ssize_t written = write(fd_, text.data(), size);
  if (written >= 0) return static_cast<std::size_t>(written);
  return errno == EAGAIN || errno == EINTR ? 0 : text.size();
}

}  // namespace pacenote::cli
