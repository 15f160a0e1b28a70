#include "core/gzip.hpp"

#include "tests/support/catch.hpp"

namespace pacenote::gzip_test {

constexpr std::size_t kPlenty = 1 << 24;

TEST_CASE("packed bodies are unpacked, damaged, cut and overlong ones refused", "[gzip]") {
  std::string text, packed, out;
  for (int i = 0; i < 100'000; ++i) text += static_cast<char>('a' + i % 23);
  gzip(text, 6, packed);
  CHECK(packed.size() < text.size() / 10);
  CHECK(gunzip(packed, kPlenty, out));
  CHECK(out == text);
  CHECK(gunzip(packed, text.size(), out));
  CHECK_FALSE(gunzip(packed, text.size() - 1, out));
  CHECK_FALSE(gunzip(std::string_view(packed).substr(0, packed.size() / 2), kPlenty, out));
  packed[20] = static_cast<char>(~packed[20]);
  CHECK_FALSE(gunzip(packed, kPlenty, out));
  CHECK_FALSE(gunzip("no gzip", kPlenty, out));
}

TEST_CASE("an empty body goes there and back", "[gzip]") {
  std::string packed, out = "before";
  gzip("", 6, packed);
  CHECK(gunzip(packed, kPlenty, out));
  CHECK(out.empty());
  CHECK_FALSE(gunzip("", kPlenty, out));
}

}  // namespace pacenote::gzip_test
