#include "core/suggest.hpp"

#include "tests/support/catch.hpp"

namespace pacenote::suggest_test {

TEST_CASE("the nearest name is suggested", "[suggest]") {
  CHECK(pacenote::nearest("bulk_sze", {"bulk_size", "clients"}) == "bulk_size");
  CHECK_FALSE(pacenote::nearest("zzz", {"bulk_size"}));
}

}  // namespace pacenote::suggest_test
