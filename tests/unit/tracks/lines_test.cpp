#include "tracks/lines.hpp"

#include "core/line_table.hpp"
#include "core/offset_table.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/tracks/support.hpp"

namespace pacenote::tracks::lines_test {

TEST_CASE("lines are counted with and without a last newline, blank ones apart", "[lines]") {
  const test::Folder folder;
  const auto [text, filled, blank] =
      GENERATE(table<std::string, std::uint64_t, std::uint64_t>({{"", 0, 0},
                                                                 {"a\nb\n", 2, 0},
                                                                 {"a\nb", 2, 0},
                                                                 {"a\n\nb\n", 2, 1},
                                                                 {"a\n \r\n", 1, 1},
                                                                 {"a\n  ", 1, 0}}));
  const LineCount count = count_lines(folder.write("f", text), [](std::uint64_t) {});
  CHECK(count.filled == filled);
  CHECK(count.blank == blank);
}

TEST_CASE("a line longer than one read is one line", "[lines]") {
  const test::Folder folder;
  const std::string text = std::string(700'000, 'x') + "\n" + std::string(700'000, ' ') + "\ny\n";
  const LineCount count = count_lines(folder.write("f", text), [](std::uint64_t) {});
  CHECK(count.filled == 2);
  CHECK(count.blank == 1);
}

TEST_CASE("a count is remembered until the file changes, beside it or elsewhere", "[lines]") {
  const test::Folder folder;
  const auto file = folder.write("f", "a\n \n");
  const auto place = GENERATE(as<std::string>(), "f", "g");
  const auto there = file.parent_path() / place;
  CHECK_FALSE(remembered_lines(file, there).has_value());
  remember_lines(file, there, count_lines(file, [](std::uint64_t) {}));
  const auto known = remembered_lines(file, there);
  REQUIRE(known);
  CHECK(known->filled == 1);
  CHECK(known->blank == 1);
  std::filesystem::remove(line_table_of(there));
  CHECK_FALSE(remembered_lines(file, there).has_value());  // the table is wanted too
  remember_lines(file, there, count_lines(file, [](std::uint64_t) {}));
  CHECK(remembered_lines(file, there));
  folder.write("f", "a\nb\n\n");
  CHECK_FALSE(remembered_lines(file, there).has_value());
}

TEST_CASE("counting leaves a table of all lines behind", "[lines]") {
  const test::Folder folder;
  std::string text;
  std::vector<std::uint64_t> begins;
  for (std::size_t n = 0; n < 5000; ++n) {
    begins.push_back(text.size());
    text.append(n * 7919 % 300, 'x') += '\n';
  }
  begins.push_back(text.size());
  const auto file = folder.write("f", text);
  remember_lines(file, file, count_lines(file, [](std::uint64_t) {}));
  auto table = LineTable::open(line_table_of(file), std::make_shared<InputFile>(file));
  REQUIRE(table);
  for (std::size_t n = 0; n < begins.size(); ++n) REQUIRE(table->offset_of(n) == begins[n]);
  CHECK_FALSE(table->offset_of(begins.size()));
  CHECK_FALSE(table->offset_of(1'000'000));
}

TEST_CASE("counting leaves Rally's offset table behind", "[lines]") {
  const test::Folder folder;
  std::string text;
  for (int n = 0; n < 100'001; ++n) text += "{}\n";
  const std::filesystem::path file = folder.write("many.json", text);
  const LineCount count = count_lines(file, [](std::uint64_t) {});
  CHECK(count.filled == 100'001);
  remember_lines(file, file, count);
  CHECK(read_offset_table(file) == std::vector<std::uint64_t>{150'000, 300'000});
}

}  // namespace pacenote::tracks::lines_test
