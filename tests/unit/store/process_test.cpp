#include "store/process.hpp"

#include "tests/support/catch.hpp"

namespace pacenote::store::process_test {

TEST_CASE("this process lives, and one of its number before it does not", "[process]") {
  const std::string self = this_process();
  REQUIRE_FALSE(self.empty());
  CHECK(lives(self));
  CHECK_FALSE(lives(self + "0"));
  CHECK_FALSE(lives("0 1 2"));
  CHECK(lives(""));
}

}  // namespace pacenote::store::process_test
