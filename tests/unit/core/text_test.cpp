#include "core/text.hpp"

#include "tests/support/catch.hpp"

namespace pacenote::text_test {

TEST_CASE("letters are compared without their case", "[text]") {
  CHECK(same_ignoring_case("Content-Type", "content-tYPE"));
  CHECK_FALSE(same_ignoring_case("content-type", "content-typ"));
  CHECK(contains_ignoring_case("Connection REFUSED by", "refused"));
  CHECK_FALSE(contains_ignoring_case("refuse", "refused"));
  CHECK(lower_case("AbC-1") == "abc-1");
}

TEST_CASE("white space is cut on both sides", "[text]") {
  CHECK(trimmed(" \t a b\r\n") == "a b");
  CHECK(trimmed(" \n").empty());
  CHECK(trimmed("").empty());
}

TEST_CASE("nothing that moves the cursor reaches a terminal", "[text]") {
  CHECK(printable("a\x1b[31mred\a\r\n") == "a?[31mred???");
  CHECK(printable("caf\u00e9 \u2014") == "caf\u00e9 \u2014");
  CHECK(printable("\u009b31m") == "?31m");
  CHECK(printable_lines("a\n\x1b[2Jb\n") == "a\n?[2Jb\n");
  CHECK(printable_lines("\n\n") == "\n\n");
  CHECK(printable_lines("").empty());
}

TEST_CASE("thousands are set apart", "[text]") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(123456) == "123,456");
  CHECK(grouped(1234567890) == "1,234,567,890");
}

}  // namespace pacenote::text_test
