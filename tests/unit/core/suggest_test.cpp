#include "core/suggest.hpp"

#include "tests/support/catch.hpp"

TEST_CASE("the nearest name is suggested", "[suggest]") {
  CHECK(pacenote::nearest("bulk_sze", {"bulk_size", "clients"}) == "bulk_size");
  CHECK_FALSE(pacenote::nearest("zzz", {"bulk_size"}));
}
