#include "tracks/lines.hpp"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <system_error>

#include "core/input_file.hpp"
#include "core/line_table.hpp"
#include "core/offset_table.hpp"

namespace pacenote::tracks {
namespace fs = std::filesystem;
namespace {

fs::path marker(const fs::path& place) { return place.string() + ".lines"; }

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
      if ((count_.filled + count_.blank) % kLinesPerEntry == 0)
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

/// Those of the offsets of every 64th line that Rally's table has: 50,000 is no multiple of 64, so the lines
/// from the entry before are looked at.
std::vector<std::uint64_t> rally_offsets(const fs::path& file, const LineCount& count) {
  std::vector<std::uint64_t> out;
  auto table = LineTable::open(line_table_of(file), std::make_shared<InputFile>(file));
  for (std::uint64_t line = kLinesPerOffset; table && line <= count.filled + count.blank;
       line += kLinesPerOffset)
    if (const auto offset = table->offset_of(line)) out.push_back(*offset);
  return out;
}

}  // namespace

LineCount count_lines(const fs::path& file, const std::function<void(std::uint64_t)>& progress) {
  const InputFile input(file);
  Piece piece;
  Counter counter;
  std::uint64_t done = 0;
  std::string_view read;
  const std::string stamp = input.stamp();
  while (!(read = piece.read(input, done)).empty()) {
    counter.add(read.data(), read.size());
    done += read.size();
    progress(done);
  }
  LineCount count = counter.result();
  count.stamp = stamp;
  return count;
}

fs::path line_table_of(const fs::path& place) { return place.string() + ".line-table"; }

std::optional<LineCount> remembered_lines(const fs::path& file, const fs::path& place) {
  std::ifstream in(marker(place));
  std::string size, time;
  LineCount count;
  if (!(in >> size >> time >> count.filled >> count.blank)) return std::nullopt;
  count.stamp = fmt::format("{} {}", size, time);
  std::error_code none;
  if (count.stamp != InputFile(file).stamp() || !fs::is_regular_file(line_table_of(place), none))
    return std::nullopt;
  return count;
}

void remember_lines(const fs::path& file, const fs::path& place, const LineCount& count) {
  write_line_table(line_table_of(place), count.stamp, count.offsets);
  std::ofstream(marker(place)) << fmt::format("{} {} {}\n", count.stamp, count.filled, count.blank);
  if (place != file || count.filled + count.blank < kLinesPerOffset) return;
  write_offset_table(file, rally_offsets(file, count));
}

}  // namespace pacenote::tracks
