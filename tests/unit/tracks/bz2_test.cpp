#include "tracks/bz2.hpp"

#include <bzlib.h>

#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"
#include "tests/unit/tracks/support.hpp"

namespace pacenote::tracks::bz2_test {

std::string packed(const std::string& text, int block_size = 1) {
  std::string out(text.size() + text.size() / 50 + 1000, '\0');
  auto size = static_cast<unsigned>(out.size());
  std::string copy = text;
  REQUIRE(::BZ2_bzBuffToBuffCompress(out.data(), &size, copy.data(), static_cast<unsigned>(copy.size()),
                                     block_size, 0, 0) == BZ_OK);
  out.resize(size);
  return out;
}

std::string lines_of(int count) {
  std::string out;
  unsigned random = 1;
  for (int n = 0; n < count; ++n) out += std::to_string(random = random * 1664525U + 1013904223U) + "\n";
  return out;
}

std::string unpacked(const std::string& bytes) {
  const test::Folder folder;
  std::string out;
  unpack_bz2(folder.write("x.bz2", bytes), [&](std::string_view text) { out += text; });
  return out;
}

TEST_CASE("a bz2 of many blocks and several streams is one text", "[bz2]") {
  const std::string text = lines_of(60'000);  // six blocks of 100 kB
  CHECK(unpacked(packed(text)) == text);
  CHECK(unpacked(packed(text) + packed("more\n", 9) + packed("") + packed(text, 3)) ==
        text + "more\n" + text);
  CHECK(unpacked(packed("")).empty());
  const std::string runs(10'000'000, 'a');  // unpacks to far more than its block says
  CHECK(unpacked(packed(runs, 9)) == runs);
}

TEST_CASE("a damaged bz2 is named", "[bz2]") {
  const std::string bytes = packed(lines_of(60'000));
  const auto refused = [](const std::string& wrong) { return test::refusal([&] { unpacked(wrong); }); };
  CHECK(refused(bytes.substr(0, bytes.size() / 2)).find("it ends early") != std::string::npos);
  CHECK(refused("PK and so on").find("it is no bz2") != std::string::npos);
  CHECK(refused("BZh9").find("it has no block") != std::string::npos);
  CHECK(refused("").find("x.bz2 is damaged") != std::string::npos);
  std::string bent = bytes;
  bent[bytes.size() / 2] = static_cast<char>(bent[bytes.size() / 2] ^ 1);
  CHECK(refused(bent).find("cannot be unpacked") != std::string::npos);
}

TEST_CASE("who takes the text may stop it", "[bz2]") {
  const test::Folder folder;
  const auto file = folder.write("x.bz2", packed(lines_of(60'000)));
  int pieces = 0;
  const auto stop = [&](std::string_view) {
    if (++pieces == 2) throw UserError("enough", "");
  };
  CHECK(test::refusal([&] { unpack_bz2(file, stop); }) == "enough | ");
}

}  // namespace pacenote::tracks::bz2_test
