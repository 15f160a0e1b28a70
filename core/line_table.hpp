// Where every 64th line of a corpus file begins, on disk beside it: bulks of such files need not be read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/input_file.hpp"

namespace pacenote {

constexpr std::uint64_t kLinesPerEntry = 64;

/// An open table and its file. Reads two entries and at most 64 lines for each question and keeps nothing, so
/// that memory does not grow with the file.
class LineTable {
 public:
  /// None where there is no table, or where it is not of `data` as that is now.
  static std::optional<LineTable> open(const std::filesystem::path& table,
                                       std::shared_ptr<const InputFile> data);
  /// Where line `line` (0-based) begins, or the file's end behind the last line. None where there are fewer
  /// lines, or where the table turns out to be wrong. UserError where a file cannot be read.
  std::optional<std::uint64_t> offset_of(std::uint64_t line);
  const std::shared_ptr<const InputFile>& data() const { return data_; }

 private:
  LineTable(std::unique_ptr<InputFile> table, std::shared_ptr<const InputFile> data);
  std::unique_ptr<InputFile> table_;
  std::shared_ptr<const InputFile> data_;
};

/// `offsets`: of lines 64, 128, … of a file with that stamp. Nothing happens where the folder is not
/// writable.
void write_line_table(const std::filesystem::path& table, const std::string& stamp,
                      const std::vector<std::uint64_t>& offsets);

}  // namespace pacenote
