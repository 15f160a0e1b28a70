#include "core/glob.hpp"

#include "tests/support/catch.hpp"

namespace pacenote::glob_test {

TEST_CASE("stars stand for any text, question marks for one character", "[glob]") {
  CHECK(matches_glob("*", ""));
  CHECK(matches_glob("*", "anything"));
  CHECK(matches_glob("search-*", "search-term"));
  CHECK_FALSE(matches_glob("search-*", "index"));
  CHECK(matches_glob("*-a*b", "x-aab-aab"));
  CHECK_FALSE(matches_glob("*-a*b", "x-aab-aac"));
  CHECK(matches_glob("q?", "q1"));
  CHECK_FALSE(matches_glob("q?", "q"));
  CHECK(matches_glob("", ""));
  CHECK_FALSE(matches_glob("", "q"));
}

}  // namespace pacenote::glob_test
