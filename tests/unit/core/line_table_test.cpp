#include "core/line_table.hpp"

#include <filesystem>
#include <string>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/corpus_file.hpp"

namespace pacenote::line_table_test {

/// 200 lines of 10 bytes, the last perhaps without its newline.
std::string ten_byte_lines(bool whole) {
  std::string out;
  for (int n = 0; n < 200; ++n) out += "123456789\n";
  if (!whole) out.pop_back();
  return out;
}

std::optional<LineTable> opened(const test::CorpusFile& table, const test::CorpusFile& data) {
  return LineTable::open(table.path(), std::make_shared<InputFile>(data.path()));
}

TEST_CASE("a table of lines answers for the file it was made of", "[line_table]") {
  const test::CorpusFile data(ten_byte_lines(true)), table("");
  CHECK_FALSE(opened(table, data));
  CHECK_FALSE(LineTable::open("no/such/file", std::make_shared<InputFile>(data.path())));
  CHECK_FALSE(LineTable::open("", std::make_shared<InputFile>(data.path())));
  write_line_table(table.path(), InputFile(data.path()).stamp(), {640, 1280, 1920});
  auto lines = opened(table, data);
  REQUIRE(lines);
  for (const std::uint64_t line : {0UL, 1UL, 63UL, 64UL, 65UL, 127UL, 128UL, 199UL, 200UL})
    CHECK(lines->offset_of(line) == line * 10);
  CHECK_FALSE(lines->offset_of(201));
  CHECK_FALSE(lines->offset_of(256));
  data.write("x\n" + ten_byte_lines(true));
  CHECK_FALSE(opened(table, data));
}

TEST_CASE("a last line without newline has no end in a table", "[line_table]") {
  const test::CorpusFile data(ten_byte_lines(false)), table("");
  write_line_table(table.path(), InputFile(data.path()).stamp(), {640, 1280, 1920});
  auto lines = opened(table, data);
  REQUIRE(lines);
  CHECK(lines->offset_of(199) == 1990U);
  CHECK_FALSE(lines->offset_of(200));
}

TEST_CASE("an entry that follows no line's end is not believed", "[line_table]") {
  const test::CorpusFile data(ten_byte_lines(true)), table("");
  for (const std::uint64_t wrong : {0UL, 641UL, 5000UL, ~0UL}) {
    write_line_table(table.path(), InputFile(data.path()).stamp(), {wrong});
    auto lines = opened(table, data);
    REQUIRE(lines);
    CHECK_FALSE(lines->offset_of(64));
    CHECK(lines->offset_of(63) == 630U);
  }
  const auto folder = std::filesystem::temp_directory_path() / "no" / "such" / "folder";
  write_line_table(folder / "table", "", {640});  // nothing happens
  CHECK_FALSE(std::filesystem::exists(folder));
}

TEST_CASE("a piece of a file is what is there", "[line_table]") {
  std::string content;
  for (int n = 0; n < 100'000; ++n) content += std::to_string(n);
  const test::CorpusFile data(content);
  const InputFile file(data.path());
  Piece piece;
  for (const std::uint64_t offset : {0UL, 1UL, 4095UL, 4096UL, 100'001UL, content.size() - 1, content.size()})
    CHECK(piece.read(file, offset) == std::string_view(content).substr(offset, Piece::kSize));
}

}  // namespace pacenote::line_table_test
