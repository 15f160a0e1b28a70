// How many lines a corpus file has.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace pacenote::tracks {

struct LineCount {
  std::uint64_t filled = 0;  ///< lines that hold anything but white space; the last may lack its newline
  std::uint64_t blank = 0;   ///< empty lines, before the last filled line or after it
  std::vector<std::uint64_t> offsets;  ///< for write_offset_table(); empty where the count was remembered
  bool operator==(const LineCount&) const = default;
};

/// Reads the whole file. `progress` is told the bytes read so far. UserError where it cannot be read.
LineCount count_lines(const std::filesystem::path& file, const std::function<void(std::uint64_t)>& progress);

/// The count that remember_lines left beside the file; none where the file has changed since.
std::optional<LineCount> remembered_lines(const std::filesystem::path& file);
/// Leaves the count beside the file (`<file>.lines`), and Rally's offset table; nothing happens where the
/// folder is not writable.
void remember_lines(const std::filesystem::path& file, const LineCount& count);

}  // namespace pacenote::tracks
