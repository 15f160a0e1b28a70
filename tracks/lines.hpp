// How many lines a corpus file has.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pacenote::tracks {

struct LineCount {
  std::uint64_t filled = 0;  ///< lines that hold anything but white space; the last may lack its newline
  std::uint64_t blank = 0;   ///< empty lines, before the last filled line or after it
  std::string stamp;         ///< of the file when it was counted
  std::vector<std::uint64_t> offsets;  ///< of every 64th line; empty where the count was remembered
};

/// Reads the whole file. `progress` is told the bytes read so far. UserError where it cannot be read.
LineCount count_lines(const std::filesystem::path& file, const std::function<void(std::uint64_t)>& progress);

/// `<place>.line-table`, for core/line_table.
std::filesystem::path line_table_of(const std::filesystem::path& place);
/// The count that remember_lines left at `place`; none where the file has changed since.
std::optional<LineCount> remembered_lines(const std::filesystem::path& file,
                                          const std::filesystem::path& place);
/// Leaves the count (`<place>.lines`) and the table of lines, and where `place` is the file itself Rally's
/// offset table; nothing happens where the folder is not writable.
void remember_lines(const std::filesystem::path& file, const std::filesystem::path& place,
                    const LineCount& count);

}  // namespace pacenote::tracks
