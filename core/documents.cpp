#include "core/documents.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/offset_table.hpp"

namespace pacenote {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10;

std::string reason(int error) { return std::generic_category().message(error); }

const char* find_newline(const char* from, const char* end) {
  return static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(end - from)));
}

/// Offsets of every kLinesPerOffset-th line of one file, as far as it has been read.
struct LineMarks {
  std::mutex mutex;
  std::vector<std::uint64_t> offsets{0};
  std::uint64_t lines = 0, scanned = 0;  ///< whole lines before `scanned`, which is the start of a line
  bool complete = false;
};

/// The marks of a file in its present state. They live as long as the process; few files, few bytes each.
LineMarks& marks_of(const InputFile& file) {
  struct stat info {};
  if (::stat(file.path().c_str(), &info) != 0)
    throw UserError(fmt::format("[{}] cannot be read: {}", file.path().string(), reason(errno)));
  static std::mutex mutex;
  static std::map<std::string, LineMarks> files;
  const std::string key = fmt::format("{}|{}|{}|{}.{}", info.st_dev, info.st_ino, info.st_size,
                                      info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  const std::lock_guard lock(mutex);
  const auto [it, fresh] = files.try_emplace(key);
  if (fresh) {
    LineMarks& marks = it->second;
    for (const std::uint64_t offset : read_offset_table(file.path())) {
      marks.offsets.push_back(offset);
      marks.lines += kLinesPerOffset;
      marks.scanned = offset;
    }
  }
  return it->second;
}

/// Where a scan stands: `lines` whole lines lie before `offset`.
struct Position {
  std::uint64_t lines = 0, offset = 0;
};

/// Goes on from `at` until `wanted` lines are passed or the file ends; `each` hears of every line's end.
template <class Each>
bool scan(const InputFile& file, Position& at, std::uint64_t wanted, Each each) {
  const auto buffer = std::make_unique_for_overwrite<char[]>(kPiece);
  std::uint64_t piece_at = at.offset;
  while (at.lines < wanted) {
    const std::size_t size = file.read_at(piece_at, buffer.get(), kPiece);
    if (size == 0) break;
    const char* from = buffer.get();
    const char* const end = from + size;
    while (at.lines < wanted) {
      const char* newline = find_newline(from, end);
      if (newline == nullptr) break;
      from = newline + 1;
      ++at.lines;
      at.offset = piece_at + static_cast<std::uint64_t>(from - buffer.get());
      each(at);
    }
    piece_at += size;
  }
  if (at.lines < wanted && piece_at > at.offset) {  // a last line without newline
    at.offset = piece_at;
    ++at.lines;
  }
  return at.lines == wanted;
}

/// Reads on, under the marks' lock, until `wanted` lines are passed.
void extend(const InputFile& file, LineMarks& marks, std::uint64_t wanted) {
  if (marks.complete || marks.lines >= wanted) return;
  Position at{marks.lines, marks.scanned};
  marks.complete = !scan(file, at, wanted, [&](const Position& here) {
    if (here.lines % kLinesPerOffset == 0) marks.offsets.push_back(here.offset);
  });
  marks.lines = at.lines;
  marks.scanned = at.offset;
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path)
    : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0)
    throw UserError(fmt::format("[{}] cannot be opened: {}", path.string(), reason(errno)));
}

InputFile::~InputFile() { ::close(descriptor_); }

std::size_t InputFile::read_at(std::uint64_t offset, char* buffer, std::size_t size) const {
  for (;;) {
    const ssize_t got = ::pread(descriptor_, buffer, size, static_cast<off_t>(offset));
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR)
      throw UserError(
          fmt::format("[{}] cannot be read at byte {}: {}", path_.string(), offset, reason(errno)));
  }
}

std::optional<std::uint64_t> line_offset(const std::filesystem::path& path, std::uint64_t line) {
  const InputFile file(path);
  if (line == 0) return 0;
  LineMarks& marks = marks_of(file);
  Position at;
  {
    const std::lock_guard lock(marks.mutex);
    extend(file, marks, line);
    if (marks.lines < line) return std::nullopt;
    const std::uint64_t mark = line / kLinesPerOffset;
    at = {mark * kLinesPerOffset, marks.offsets[mark]};
  }
  scan(file, at, line, [](const Position&) {});
  return at.offset;
}

std::uint64_t count_lines(const std::filesystem::path& path) {
  const InputFile file(path);
  LineMarks& marks = marks_of(file);
  const std::lock_guard lock(marks.mutex);
  extend(file, marks, std::numeric_limits<std::uint64_t>::max());
  return marks.lines;
}

LineReader::LineReader(const std::filesystem::path& path, std::uint64_t offset)
    : file_(path), offset_(offset), buffer_(std::make_unique_for_overwrite<char[]>(kPiece)) {}

bool LineReader::fill() {
  const std::size_t size = file_.read_at(offset_, buffer_.get(), kPiece);
  offset_ += size;
  next_ = buffer_.get();
  end_ = next_ + size;
  return size > 0;
}

/// For a line that began at the end of the piece before.
void LineReader::append_rest_of_line(std::string& out) {
  while (fill()) {
    const char* newline = find_newline(next_, end_);
    const char* stop = newline == nullptr ? end_ : newline + 1;
    out.append(next_, static_cast<std::size_t>(stop - next_));
    next_ = stop;
    if (newline != nullptr) return;
  }
  out += '\n';
}

std::uint64_t LineReader::append(std::string& out, std::string_view prefix, std::uint64_t count) {
  for (std::uint64_t done = 0; done < count; ++done) {
    if (next_ == end_ && !fill()) return done;
    out.append(prefix);
    const char* newline = find_newline(next_, end_);
    const char* stop = newline == nullptr ? end_ : newline + 1;
    out.append(next_, static_cast<std::size_t>(stop - next_));
    next_ = stop;
    if (newline == nullptr) append_rest_of_line(out);
  }
  return count;
}

std::uint64_t LineReader::append(std::string& out, std::uint64_t count) {
  std::uint64_t done = 0;
  while (done < count) {
    if (next_ == end_ && !fill()) return done;
    const char* const from = next_;
    bool whole = true;
    while (whole && done < count && next_ != end_) {
      const char* newline = find_newline(next_, end_);
      whole = newline != nullptr;
      next_ = whole ? newline + 1 : end_;
      ++done;
    }
    out.append(from, static_cast<std::size_t>(next_ - from));
    if (!whole) append_rest_of_line(out);
  }
  return done;
}

}  // namespace pacenote
