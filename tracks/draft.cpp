#include "tracks/draft.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <vector>

#include "core/error.hpp"

namespace pacenote::tracks {
namespace fs = std::filesystem;
namespace {

int locked(const fs::path& file, int flags) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC | flags, 0644);
  if (descriptor < 0 || ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

void remove_left_behind(const fs::path& target) {
  const std::string prefix = target.filename().string() + ".tmp-";
  std::error_code none;
  std::vector<fs::path> drafts;
  for (fs::directory_iterator it(target.parent_path(), none), end; !none && it != end; it.increment(none))
    if (it->path().filename().string().starts_with(prefix)) drafts.push_back(it->path());
  for (const fs::path& draft : drafts) {
    const int descriptor = locked(draft, 0);
    if (descriptor < 0) continue;  // somebody is at it
    fs::remove(draft, none);
    ::close(descriptor);
  }
}

}  // namespace

UserError cannot_be_written(const fs::path& file, const std::string& reason) {
  return UserError(fmt::format("{} cannot be written: {}", file.string(), reason),
                   "check the folder's permissions and the room on its disk");
}

Draft::Draft(fs::path target)
    : target_(std::move(target)), path_(fmt::format("{}.tmp-{}", target_.string(), ::getpid())) {
  remove_left_behind(target_);
  descriptor_ = locked(path_, O_CREAT);  // if this fails, so will who writes to it, and say why
}

Draft::~Draft() {
  std::error_code none;
  fs::remove(path_, none);
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Draft::keep() const {
  std::error_code error;
  fs::rename(path_, target_, error);
  if (error) throw cannot_be_written(target_, error.message());
}

}  // namespace pacenote::tracks
