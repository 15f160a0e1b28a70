#include "core/json.hpp"

#include "tests/support/catch.hpp"

namespace pacenote::json_test {

TEST_CASE("JSON that nests too deep is no JSON", "[json]") {
  const std::string open(kDeepestJson, '['), close(kDeepestJson, ']');
  CHECK_FALSE(parse_json(open + close).is_discarded());
  CHECK(parse_json("[" + open + close + "]").is_discarded());
  CHECK(parse_json(std::string(300'000, '[')).is_discarded());
  CHECK(parse_json("[\"" + std::string(600, '[') + "\"]").size() == 1);
  CHECK(parse_json("").is_discarded());
}

}  // namespace pacenote::json_test
