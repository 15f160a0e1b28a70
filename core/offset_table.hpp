// Rally's offset tables: where every 50,000th line of a corpus file begins (rally utils/io.py).
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace pacenote {

constexpr std::uint64_t kLinesPerOffset = 50'000;

/// Offsets of lines 50,000, 100,000, … as `<data>.offset` has them ("LINE;OFFSET" on each line). Empty where
/// there is no such file, where it is older than the data, or where anything in it is not as it must be: each
/// offset must follow the end of a line.
std::vector<std::uint64_t> read_offset_table(const std::filesystem::path& data);

/// Writes the table beside the data; nothing happens where the folder is not writable.
void write_offset_table(const std::filesystem::path& data, const std::vector<std::uint64_t>& offsets);

}  // namespace pacenote
