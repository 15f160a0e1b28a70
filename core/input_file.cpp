#include "core/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "core/error.hpp"

namespace pacenote {
namespace {

constexpr std::size_t kPageBytes = 4096;

std::string reason_of(int error) { return std::generic_category().message(error); }

/// The first place in `room` that lies half a page from where `offset` lies in its page. Where the kernel
/// copies to a place a few bytes further in its page than the source is in its own, as large blocks of malloc
/// are, `rep movsb` of AMD's Zen is four to ten times slower.
char* half_a_page_from(std::uint64_t offset, char* room) {
  return room + (offset + kPageBytes / 2 - reinterpret_cast<std::uintptr_t>(room)) % kPageBytes;
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path)
    : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0)
    throw UserError(fmt::format("[{}] cannot be opened: {}", path.string(), reason_of(errno)),
                    "check the path and its permissions");
}

InputFile::~InputFile() { ::close(descriptor_); }

std::size_t InputFile::read_at(std::uint64_t offset, char* buffer, std::size_t size) const {
  for (;;) {
    const ssize_t got = ::pread(descriptor_, buffer, size, static_cast<off_t>(offset));
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR)
      throw UserError(
          fmt::format("[{}] cannot be read at byte {}: {}", path_.string(), offset, reason_of(errno)),
          "check the disk, and that the file is not being changed");
  }
}

std::string InputFile::stamp() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return {};
  return fmt::format("{} {}.{:09}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

Piece::Piece() : room_(std::make_unique_for_overwrite<char[]>(kPageBytes + kSize)) {}

std::string_view Piece::read(const InputFile& file, std::uint64_t offset, std::uint64_t most) {
  char* const to = half_a_page_from(offset, room_.get());
  return {to, file.read_at(offset, to, std::min<std::uint64_t>(most, kSize))};
}

}  // namespace pacenote
