#include "core/offset_table.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <system_error>

namespace pacenote {
namespace {

std::filesystem::path table_of(const std::filesystem::path& data) { return data.string() + ".offset"; }

bool follows_a_line(std::ifstream& data, std::uint64_t offset) {
  char before = 0;
  data.clear();
  return data.seekg(static_cast<std::streamoff>(offset) - 1) && data.get(before) && before == '\n';
}

}  // namespace

std::vector<std::uint64_t> read_offset_table(const std::filesystem::path& data) {
  std::error_code error;
  const auto made = std::filesystem::last_write_time(table_of(data), error);
  if (error || made < std::filesystem::last_write_time(data, error) || error) return {};
  std::ifstream in(table_of(data)), documents(data, std::ios::binary);
  std::vector<std::uint64_t> out;
  std::uint64_t line = 0, offset = 0, last = 0;
  for (char semicolon = 0; in >> line >> semicolon >> offset; last = offset) {
    const bool fits = semicolon == ';' && line == (out.size() + 1) * kLinesPerOffset && offset > last;
    if (!fits || !follows_a_line(documents, offset)) return {};
    out.push_back(offset);
  }
  return in.eof() ? out : std::vector<std::uint64_t>();
}

void write_offset_table(const std::filesystem::path& data, const std::vector<std::uint64_t>& offsets) {
  std::ofstream out(table_of(data));
  for (std::size_t i = 0; i < offsets.size(); ++i)
    out << fmt::format("{};{}\n", (i + 1) * kLinesPerOffset, offsets[i]);
}

}  // namespace pacenote
