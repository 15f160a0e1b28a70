#include "core/offset_table.hpp"

#include <fstream>

#include "core/documents.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/tracks/support.hpp"

namespace pacenote::offset_table_test {

TEST_CASE("Rally's offset tables are used, and a wrong one is not", "[offset_table]") {
  const test::Folder folder;
  std::string text;
  for (int n = 0; n < 120'000; ++n) text += n % 2 == 0 ? "a\n" : "bcd\n";
  const std::filesystem::path data = folder.write("d.json", text);
  const std::vector<std::uint64_t> right = {150'000, 300'000};
  CHECK(read_offset_table(data).empty());
  write_offset_table(data, right);
  CHECK(read_offset_table(data) == right);
  CHECK(line_offset(data, 100'000) == 300'000U);
  CHECK(line_offset(data, 100'001) == 300'002U);
  CHECK(line_offset(data, 50'000) == 150'000U);
  CHECK(count_lines(data) == 120'000);
  for (const char* wrong : {"50000;150001\n", "50000;150000\n100000;150000\n", "50000;x\n", "100000;300000\n",
                            "50000;150000\n100000;900000\n"}) {
    INFO(wrong);
    folder.write("d.json.offset", wrong);
    CHECK(read_offset_table(data).empty());
  }
  write_offset_table(data, right);
  std::filesystem::last_write_time(data,
                                   std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  CHECK(read_offset_table(data).empty());
}

}  // namespace pacenote::offset_table_test
