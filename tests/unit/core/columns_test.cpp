#include "core/columns.hpp"

#include <limits>
#include <vector>

#include "tests/support/catch.hpp"

namespace pacenote::columns_test {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

std::string put(const std::vector<std::uint64_t>& values) {
  std::string bytes;
  put_column(values, bytes);
  return bytes;
}

TEST_CASE("a column comes back, whatever its values", "[columns]") {
  std::vector<std::uint64_t> groups;  // the last one short, of all widths
  for (std::uint64_t i = 0; i < 300; ++i) groups.push_back((i * i) << (i % 60));
  const std::vector<std::vector<std::uint64_t>> columns = {
      {0}, {kLargest}, {7, 7, 7, 7}, {1, 1, 1, 2, 2, 2}, {1, 2, 3}, {kLargest, 0, 1}, groups};
  for (const auto& column : columns) {
    const std::string bytes = put(column);
    std::vector<std::uint64_t> back(column.size());
    ColumnReader reader(bytes);
    REQUIRE(reader.column(back));
    CHECK(reader.done());
    CHECK(back == column);
  }
}

TEST_CASE("what repeats costs nothing", "[columns]") {
  CHECK(put(std::vector<std::uint64_t>(1000, 5)).size() == 2);
  std::vector<std::uint64_t> runs(1000, 5);
  runs[500] = 6;
  CHECK(put(runs).size() < 12);
}

TEST_CASE("zigzag makes small numbers of both signs small, and is undone", "[columns]") {
  CHECK(zigzag(0) == 0);
  CHECK(zigzag(kLargest) == 1);  // -1
  CHECK(zigzag(1) == 2);
  for (const std::uint64_t value : {std::uint64_t{0}, kLargest, kLargest / 2, kLargest / 2 + 1}) {
    CHECK(unzigzag(zigzag(value)) == value);
  }
}

TEST_CASE("runs that do not fit and widths that do not exist are refused", "[columns]") {
  std::vector<std::uint64_t> values(4);
  using std::string;
  for (const string& bytes : {string("\x01\x05\x01", 3), string("\x01\x00\x01\x04\x01", 5),
                              string("\x02\x09", 2), string("\x03\x01", 2), string("\x00", 1), string()}) {
    CHECK_FALSE(ColumnReader(bytes).column(values));
  }
  std::uint64_t value = 0;
  CHECK_FALSE(ColumnReader("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02").number(value));  // 65 bits
  CHECK_FALSE(ColumnReader("\xff").number(value));
}

}  // namespace pacenote::columns_test
