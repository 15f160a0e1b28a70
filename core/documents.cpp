#include "core/documents.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
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

std::string reason(int error) { return std::generic_category().message(error); }

const char* find_newline(const char* from, const char* end) {
  return static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(end - from)));
}

constexpr std::ptrdiff_t kBlock = 64;  // bytes that are looked at together
// What is copied together: most lines at once, since a loop that ends here now, there then costs more.
constexpr std::ptrdiff_t kLineStride = 160, kPrefixStride = 32;

/// memcpy in strides: up to kStride - 1 bytes more are read and written.
template <std::ptrdiff_t kStride>
void copy_strides(char* to, const char* from, std::ptrdiff_t size) {
  for (std::ptrdiff_t at = 0; at < size; at += kStride) std::memcpy(to + at, from + at, kStride);
}

#ifdef __SSE2__
constexpr bool kFindsManyNewlines = true;
/// A bit for each newline in a block.
std::uint64_t newlines_in(const char* block) {
  const __m128i newline = _mm_set1_epi8('\n');
  std::uint64_t found = 0;
#pragma GCC unroll 4
  for (std::ptrdiff_t at = 0; at < kBlock; at += sizeof newline) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + at));
    const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, newline));
    found |= std::uint64_t{static_cast<std::uint32_t>(mask)} << at;
  }
  return found;
}
#else
constexpr bool kFindsManyNewlines = false;
std::uint64_t newlines_in(const char*) { return 0; }
#endif

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
    throw UserError(fmt::format("[{}] cannot be read: {}", file.path().string(), reason(errno)),
                    "check its permissions");
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
  Piece piece;
  std::uint64_t piece_at = at.offset;
  while (at.lines < wanted) {
    const std::string_view read = piece.read(file, piece_at);
    if (read.empty()) break;
    const char* from = read.data();
    const char* const end = from + read.size();
    while (at.lines < wanted) {
      const char* newline = find_newline(from, end);
      if (newline == nullptr) break;
      from = newline + 1;
      ++at.lines;
      at.offset = piece_at + static_cast<std::uint64_t>(from - read.data());
      each(at);
    }
    piece_at += read.size();
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

/// Writes over a text from its begin on, so that memory which is written anyway is not cleared before.
class LineReader::Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}
  ~Writer() { out_.resize(used_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  /// Room for so many bytes more, of which `wrote` takes what became of it.
  char* room(std::size_t bytes) {
    constexpr std::size_t kLeast = 4096;
    if (out_.size() - used_ < bytes) out_.resize(used_ + bytes + std::max(kLeast, used_ / 64));
    return out_.data() + used_;
  }
  void wrote(std::size_t bytes) { used_ += bytes; }
  void wrote_to(const char* end) { used_ = static_cast<std::size_t>(end - out_.data()); }
  const char* end() const { return out_.data() + out_.size(); }
  void append(std::string_view text) {
    std::memcpy(room(text.size()), text.data(), text.size());
    wrote(text.size());
  }

 private:
  std::string& out_;
  std::size_t used_ = 0;
};

LineReader::LineReader(const std::filesystem::path& path, std::uint64_t offset)
    : LineReader(std::make_shared<InputFile>(path), offset, std::numeric_limits<std::uint64_t>::max()) {}

LineReader::LineReader(std::shared_ptr<const InputFile> file, std::uint64_t offset, std::uint64_t end)
    : file_(std::move(file)), offset_(offset), stop_(end) {}

bool LineReader::fill() {
  const std::string_view read = piece_.read(*file_, offset_, stop_ - offset_);
  offset_ += read.size();
  next_ = read.data();
  end_ = next_ + read.size();
  return !read.empty();
}

/// For a line that began at the end of the piece before.
void LineReader::take_rest_of_line(Writer& out) {
  while (fill()) {
    const char* newline = find_newline(next_, end_);
    const char* stop = newline == nullptr ? end_ : newline + 1;
    out.append({next_, static_cast<std::size_t>(stop - next_)});
    next_ = stop;
    if (newline != nullptr) return;
  }
  out.append("\n");
}

void LineReader::take_line(Writer& out) {
  const char* newline = find_newline(next_, end_);
  const char* stop = newline == nullptr ? end_ : newline + 1;
  out.append({next_, static_cast<std::size_t>(stop - next_)});
  next_ = stop;
  if (newline == nullptr) take_rest_of_line(out);
}

/// The lines that end well before the piece does, up to `count`, each behind `prefix`, which has
/// kPrefixStride readable bytes behind it; returns how many. A memchr and a memcpy for each line take twice
/// the time: where a line begins is only known when the one before has been read, and here all of a block are
/// known at once.
std::uint64_t LineReader::take_from_piece(Writer& out, std::string_view prefix, std::uint64_t count) {
  std::uint64_t left = count;
  const char* line = next_;
  const auto prefix_size = static_cast<std::ptrdiff_t>(prefix.size());
  const std::ptrdiff_t most_more = prefix_size + kLineStride;
  char* to = out.room(0);
  const char* full = to;
  for (const char* block = line; end_ - block >= kBlock + kLineStride && left != 0; block += kBlock) {
    for (std::uint64_t newlines = newlines_in(block); newlines != 0 && left != 0; newlines &= newlines - 1) {
      const char* const end = block + std::countr_zero(newlines) + 1;
      const std::ptrdiff_t size = end - line;
      if (full - to < size + most_more) {
        out.wrote_to(to);
        to = out.room(static_cast<std::size_t>(size + most_more));
        full = out.end();
      }
      copy_strides<kPrefixStride>(to, prefix.data(), prefix_size);
      copy_strides<kLineStride>(to + prefix_size, line, size);
      to += prefix_size + size;
      line = end;
      --left;
    }
  }
  out.wrote_to(to);
  next_ = line;
  return count - left;
}

std::uint64_t LineReader::take(std::string& out, std::string_view prefix, std::uint64_t count) {
  Writer writer(out);
  const std::string padded = std::string(prefix) + std::string(kPrefixStride, '\0');
  for (std::uint64_t done = 0; done < count;) {
    if (next_ == end_ && !fill()) return done;
    if constexpr (kFindsManyNewlines)
      done += take_from_piece(writer, {padded.data(), prefix.size()}, count - done);
    if (done == count) break;
    writer.append(prefix);
    take_line(writer);
    ++done;
  }
  return count;
}

std::uint64_t LineReader::take(std::string& out, std::uint64_t count) {
  Writer writer(out);
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
    writer.append({from, static_cast<std::size_t>(next_ - from)});
    if (!whole) take_rest_of_line(writer);
  }
  return done;
}

}  // namespace pacenote
