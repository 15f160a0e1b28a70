#include "tracks/lines.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "core/offset_table.hpp"

namespace pacenote::tracks {
namespace {

constexpr std::size_t kPiece = 256 * 1024;  // as fast as mmap, and memory stays flat (design.md 2)

/// Size and time of last change, as far as the file system keeps it.
std::string stamp(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return {};
  return fmt::format("{} {}.{:09}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

std::filesystem::path marker(const std::filesystem::path& file) { return file.string() + ".lines"; }

/// Counts lines over pieces; a line is blank until a byte that is no white space was seen in it.
class Counter {
 public:
  void add(const char* data, std::size_t size) {
    const char* const begin = data;
    const char* const end = data + size;
    while (data < end) {
      const auto* newline =
          static_cast<const char*>(std::memchr(data, '\n', static_cast<std::size_t>(end - data)));
      const char* const stop = newline == nullptr ? end : newline;
      for (; !filled_ && data < stop; ++data) filled_ = *data != ' ' && *data != '\r' && *data != '\t';
      if (newline == nullptr) {
        open_ = true;
        break;
      }
      close_line();
      data = newline + 1;
      if ((count_.filled + count_.blank) % kLinesPerOffset == 0)
        count_.offsets.push_back(before_ + static_cast<std::uint64_t>(data - begin));
    }
    before_ += size;
  }
  LineCount result() {
    if (open_ && filled_) close_line();
    return count_;
  }

 private:
  void close_line() {
    ++(filled_ ? count_.filled : count_.blank);
    filled_ = open_ = false;
  }
  std::uint64_t before_ = 0;  // bytes before this piece
  LineCount count_;
  bool filled_ = false, open_ = false;
};

}  // namespace

LineCount count_lines(const std::filesystem::path& file, const std::function<void(std::uint64_t)>& progress) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    throw UserError(
        fmt::format("{} cannot be read: {}", file.string(), std::generic_category().message(errno)));
  std::vector<char> buffer(kPiece);
  Counter counter;
  std::uint64_t done = 0;
  ssize_t n = 0;
  while ((n = ::pread(descriptor, buffer.data(), buffer.size(), static_cast<off_t>(done))) > 0) {
    counter.add(buffer.data(), static_cast<std::size_t>(n));
    done += static_cast<std::uint64_t>(n);
    progress(done);
  }
  const int error = errno;
  ::close(descriptor);
  if (n < 0)
    throw UserError(
        fmt::format("{} cannot be read: {}", file.string(), std::generic_category().message(error)));
  return counter.result();
}

std::optional<LineCount> remembered_lines(const std::filesystem::path& file) {
  std::ifstream in(marker(file));
  std::string size, time;
  LineCount count;
  if (!(in >> size >> time >> count.filled >> count.blank)) return std::nullopt;
  if (fmt::format("{} {}", size, time) != stamp(file)) return std::nullopt;
  return count;
}

void remember_lines(const std::filesystem::path& file, const LineCount& count) {
  std::ofstream out(marker(file));
  out << fmt::format("{} {} {}\n", stamp(file), count.filled, count.blank);
  if (!count.offsets.empty()) write_offset_table(file, count.offsets);
}

}  // namespace pacenote::tracks
