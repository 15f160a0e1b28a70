#include "tracks/lines.hpp"

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
  const LineCount expected{filled, blank, {}};
  CHECK(count_lines(folder.write("f", text), [](std::uint64_t) {}) == expected);
}

TEST_CASE("a line longer than one read is one line", "[lines]") {
  const test::Folder folder;
  const std::string text = std::string(700'000, 'x') + "\n" + std::string(700'000, ' ') + "\ny\n";
  const LineCount expected{2, 1, {}};
  CHECK(count_lines(folder.write("f", text), [](std::uint64_t) {}) == expected);
}

TEST_CASE("a count is remembered until the file changes", "[lines]") {
  const test::Folder folder;
  const auto file = folder.write("f", "a\n");
  CHECK_FALSE(remembered_lines(file).has_value());
  const LineCount expected{1, 0, {}};
  remember_lines(file, expected);
  CHECK(remembered_lines(file) == expected);
  folder.write("f", "a\nb\n");
  CHECK_FALSE(remembered_lines(file).has_value());
}

TEST_CASE("counting leaves Rally's offset table behind", "[lines]") {
  const test::Folder folder;
  std::string text;
  for (int n = 0; n < 100'001; ++n) text += "{}\n";
  const std::filesystem::path file = folder.write("many.json", text);
  const LineCount count = count_lines(file, [](std::uint64_t) {});
  CHECK(count.filled == 100'001);
  remember_lines(file, count);
  CHECK(read_offset_table(file) == std::vector<std::uint64_t>{150'000, 300'000});
}

}  // namespace pacenote::tracks::lines_test
