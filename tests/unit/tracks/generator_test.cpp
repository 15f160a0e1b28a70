#include "tracks/generator.hpp"

#include "core/json.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/tracks/support.hpp"

namespace pacenote::tracks::generator_test {

TEST_CASE("the access log is the same bytes everywhere", "[generator]") {
  const std::string text = generated_text("access-log", 20'000);
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  CHECK(hash == 0xb43f00cb7d93a032U);
  CHECK(text.size() == 2544966);
  CHECK(generated_text("access-log", 10) == text.substr(0, generated_text("access-log", 10).size()));
  CHECK(generated_text(Json{{"name", "access-log"}, {"seed", 2}}, 10) != generated_text("access-log", 10));
}

TEST_CASE("an access log entry has its fields, about 130 bytes, and time goes forward", "[generator]") {
  const std::string text = generated_text("access-log", 5000);
  CHECK(text.size() / 5000 > 105);
  CHECK(text.size() / 5000 < 145);
  std::int64_t before = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    const Json entry = parse_json_strictly(text.substr(start, end - start));
    REQUIRE(entry.size() == 5);
    REQUIRE(entry["@timestamp"] >= before);
    REQUIRE(entry["size"] >= 0);
    before = entry["@timestamp"].get<std::int64_t>();
    start = end + 1;
  }
}

TEST_CASE("an unknown generator is refused", "[generator]") {
  CHECK(test::refusal([] { generated_text("acess-log", 1); }) ==
        "unknown document generator [acess-log] | did you mean access-log?");
}

}  // namespace pacenote::tracks::generator_test
