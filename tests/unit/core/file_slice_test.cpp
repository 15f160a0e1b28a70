#include "core/file_slice.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/corpus_file.hpp"

namespace pacenote::file_slice_test {

/// Lines of `bytes` bytes each, the newline included.
std::string lines(std::size_t count, std::size_t bytes) {
  std::string out;
  for (std::size_t n = 0; n < count; ++n)
    out += std::string(bytes - 1, static_cast<char>('a' + n % 26)) + "\n";
  return out;
}

/// What lines `from` to `from + count` become.
std::string expected(const std::string& content, std::size_t bytes, std::size_t from, std::size_t count,
                     const std::string& prefix) {
  std::string out;
  for (std::size_t n = from; n < from + count; ++n) out += prefix + content.substr(n * bytes, bytes);
  return out;
}

TEST_CASE("a slice is its lines, each behind its prefix", "[file_slice]") {
  const std::size_t bytes =
      GENERATE(2, 131, 70'000, 300'000);  // shorter and longer than the pieces that are read
  const std::string prefix = GENERATE("", "{\"index\":{}}\n");
  const std::string content = lines(3'000'000 / bytes, bytes);
  const test::CorpusFile file(content);
  const std::size_t count = 1'900'000 / bytes;
  const FileSlice slice{std::make_shared<InputFile>(file.path()), 2 * bytes, count * bytes, count, prefix};
  std::string text = "before", piece, pieces;
  slice.read(text);
  CHECK(text.size() == slice.text_size());
  CHECK(text == expected(content, bytes, 2, count, prefix));
  SliceReader reader(slice);
  do {
    REQUIRE(reader.next(piece));
    pieces += piece;
  } while (!piece.empty());
  CHECK(pieces == text);
}

TEST_CASE("lines of every length stand behind prefixes of every length", "[file_slice]") {
  const std::size_t of_prefix = GENERATE(1, 31, 32, 33, 64, 65, 200);
  const std::string prefix(of_prefix, '>');
  std::string content, expected;
  constexpr std::size_t kLines = 2000;
  for (std::size_t i = 0; i < kLines; ++i) {
    const std::string line = std::string(i * 7 % 701, static_cast<char>('a' + i % 26)) + "\n";
    content += line;
    expected += prefix + line;
  }
  const test::CorpusFile file(content);
  const FileSlice slice{std::make_shared<InputFile>(file.path()), 0, content.size(), kLines, prefix};
  std::string text;
  slice.read(text);
  CHECK((text == expected));  // in brackets: a failure prints no megabyte
}

TEST_CASE("a slice of a file with other lines than it says is found out", "[file_slice]") {
  const std::string prefix = GENERATE("", "> ");
  const test::CorpusFile file("12\n34\n56\n78\n");
  FileSlice slice{std::make_shared<InputFile>(file.path()), 3, 6, 2, prefix};
  std::string out;
  slice.read(out);
  CHECK(out == prefix + "34\n" + prefix + "56\n");
  for (const std::string other :
       {"", "12\n", "12\n34", "12\n34\n", "12\n34\n5", "12\n34\n567", "1\n23456789\n"}) {
    CAPTURE(other);
    file.write(other);
    CHECK_THROWS_WITH(slice.read(out), Catch::Contains("has changed"));
  }
  file.write("12\n34\n56\n78\n");
  for (const std::uint64_t wrong : {0U, 1U, 3U}) {
    slice.lines = wrong;
    CHECK_THROWS_AS(slice.read(out), UserError);
  }
}

}  // namespace pacenote::file_slice_test
