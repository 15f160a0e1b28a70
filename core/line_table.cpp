#include "core/line_table.hpp"

#include <unistd.h>

#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace pacenote {
namespace {

// The head, filled up with blanks, then the offsets as they are in memory: the file never leaves its machine.
constexpr std::size_t kHeadBytes = 128, kScanBytes = 4096;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 62;  // of a file

std::string head_of(const std::string& stamp) {
  const char* order = std::endian::native == std::endian::little ? "little" : "big";
  std::string head = "pacenote line table 1 " + std::string(order) + " " + stamp;
  head.resize(kHeadBytes - 1, ' ');
  return head + "\n";
}

}  // namespace

LineTable::LineTable(std::unique_ptr<InputFile> table, std::shared_ptr<const InputFile> data)
    : table_(std::move(table)), data_(std::move(data)) {}

std::optional<LineTable> LineTable::open(const std::filesystem::path& table,
                                         std::shared_ptr<const InputFile> data) {
  std::error_code none;
  if (table.empty() || !std::filesystem::is_regular_file(table, none)) return std::nullopt;
  auto file = std::make_unique<InputFile>(table);
  std::string head(kHeadBytes, '\0');
  if (file->read_at(0, head.data(), head.size()) != head.size()) return std::nullopt;
  if (head != head_of(data->stamp())) return std::nullopt;
  return LineTable(std::move(file), std::move(data));
}

std::optional<std::uint64_t> LineTable::offset_of(std::uint64_t line) {
  std::uint64_t offset = 0, left = line % kLinesPerEntry;
  if (const std::uint64_t entry = line / kLinesPerEntry; entry > 0) {
    const std::uint64_t at = kHeadBytes + (entry - 1) * sizeof offset;
    if (table_->read_at(at, reinterpret_cast<char*>(&offset), sizeof offset) != sizeof offset)
      return std::nullopt;
    char before = 0;
    if (offset == 0 || offset > kMostBytes || data_->read_at(offset - 1, &before, 1) != 1 || before != '\n')
      return std::nullopt;
  }
  std::array<char, kScanBytes> lines;
  while (left > 0) {
    const std::size_t size = data_->read_at(offset, lines.data(), lines.size());
    if (size == 0) return std::nullopt;
    const char* const end = lines.data() + size;
    const char* from = lines.data();
    while (left > 0) {
      const void* newline = std::memchr(from, '\n', static_cast<std::size_t>(end - from));
      if (newline == nullptr) break;
      from = static_cast<const char*>(newline) + 1;
      --left;
    }
    offset += left > 0 ? size : static_cast<std::size_t>(from - lines.data());
  }
  return offset;
}

void write_line_table(const std::filesystem::path& table, const std::string& stamp,
                      const std::vector<std::uint64_t>& offsets) {
  // Two processes may count the same file: each writes under a name of its own.
  const std::filesystem::path draft = table.string() + ".tmp-" + std::to_string(::getpid());
  std::error_code error;
  {
    std::ofstream out(draft, std::ios::binary);
    const std::string head = head_of(stamp);
    out.write(head.data(), static_cast<std::streamsize>(head.size()));
    out.write(reinterpret_cast<const char*>(offsets.data()),
              static_cast<std::streamsize>(offsets.size() * sizeof offsets[0]));
    if (out.flush()) std::filesystem::rename(draft, table, error);
  }
  std::filesystem::remove(draft, error);
}

}  // namespace pacenote
