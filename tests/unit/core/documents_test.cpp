#include "core/documents.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/corpus_file.hpp"

namespace pacenote::documents_test {

/// Lines of very different lengths, the longest longer than what is read in one go.
std::string long_and_short_lines(std::uint64_t count) {
  std::string out;
  for (std::uint64_t i = 0; i < count; ++i) {
    out += fmt::format("{{\"n\":{}}}", i);
    out.append(i % 7 == 3 ? (i * 997) % 300'000 : 0, 'x');
    out += '\n';
  }
  return out;
}

TEST_CASE("lines come out as they are in the file, whatever their length", "[documents]") {
  const std::string content = long_and_short_lines(60);
  const test::CorpusFile file(content);
  LineReader reader(file.path(), 0);
  std::string out, some;
  while (reader.take(some, 7) > 0) out += some;
  CHECK(out == content);
  LineReader again(file.path(), 0);
  out.clear();
  while (again.take(some, "", 7) > 0) out += some;
  CHECK(out == content);
}

TEST_CASE("short lines of every length end where they end", "[documents]") {
  std::string content;
  for (std::size_t length = 0; length < 1200; ++length) content += std::string(length, 'x') + "\n";
  const test::CorpusFile file(content);
  LineReader reader(file.path(), 0);
  std::string line(3000, '?');  // what was there before does not shine through
  for (std::size_t length = 0; length < 1200; ++length) {
    REQUIRE(reader.take(line, ">", 1) == 1);
    REQUIRE(line == ">" + std::string(length, 'x') + "\n");
  }
  CHECK(reader.take(line, ">", 1) == 0);
  CHECK(line.empty());
}

TEST_CASE("every line gets its action line", "[documents]") {
  const test::CorpusFile file("a\n\nb\n");
  LineReader reader(file.path(), 0);
  std::string out;
  CHECK(reader.take(out, "> ", 2) == 2);
  CHECK(out == "> a\n> \n");
  CHECK(reader.take(out, "> ", 2) == 1);
  CHECK(out == "> b\n");
  CHECK(reader.take(out, "> ", 2) == 0);
}

TEST_CASE("long lines get their action lines too", "[documents]") {
  const test::CorpusFile file(long_and_short_lines(40));
  LineReader reader(file.path(), 0);
  std::string out;
  CHECK(reader.take(out, "> ", 100) == 40);
  std::string plain;
  for (std::size_t at = 0; at < out.size();) {
    REQUIRE(out.compare(at, 2, "> ") == 0);
    const std::size_t end = out.find('\n', at);
    plain += out.substr(at + 2, end - at - 1);
    at = end + 1;
  }
  CHECK(plain == long_and_short_lines(40));
}

TEST_CASE("a last line without newline gets one", "[documents]") {
  const test::CorpusFile file("a\nb");
  std::string with_action, without;
  LineReader(file.path(), 0).take(with_action, "> ", 5);
  LineReader(file.path(), 0).take(without, 5);
  CHECK(with_action == "> a\n> b\n");
  CHECK(without == "a\nb\n");
}

TEST_CASE("a reader begins at the line it was sent to", "[documents]") {
  const std::uint64_t lines = 170'000;  // more than three marks
  std::string content;
  for (std::uint64_t i = 0; i < lines; ++i) content += fmt::format("{:x}\n", i * i);
  const test::CorpusFile file(content);
  for (const std::uint64_t line : {150'001UL, 3UL, 0UL, 50'000UL, 99'999UL, 169'999UL, 100'000UL}) {
    const std::optional<std::uint64_t> offset = line_offset(file.path(), line);
    REQUIRE(offset);
    std::string out;
    CHECK(LineReader(file.path(), *offset).take(out, 1) == 1);
    CHECK(out == fmt::format("{:x}\n", line * line));
  }
  CHECK(line_offset(file.path(), lines) == content.size());
  CHECK_FALSE(line_offset(file.path(), lines + 1));
  CHECK(count_lines(file.path()) == lines);
}

TEST_CASE("a last line without newline counts", "[documents]") {
  const test::CorpusFile file("a\nb\nc");
  CHECK(line_offset(file.path(), 3) == 5U);
  CHECK_FALSE(line_offset(file.path(), 4));
  CHECK(count_lines(file.path()) == 3);
  CHECK(count_lines(test::CorpusFile("").path()) == 0);
}

TEST_CASE("a file that changed is read anew", "[documents]") {
  const test::CorpusFile file("a\nb\n");
  CHECK(count_lines(file.path()) == 2);
  file.write("a\nb\nc\nd\n");
  CHECK(count_lines(file.path()) == 4);
}

TEST_CASE("a missing file and a folder are named", "[documents]") {
  CHECK_THROWS_AS(LineReader("no/such/file", 0), UserError);
  const test::CorpusFile file("");
  const std::filesystem::path folder = file.path().parent_path();
  std::string out;
  CHECK_THROWS_WITH(LineReader(folder, 0).take(out, 1), Catch::Contains(folder.string()));
}

}  // namespace pacenote::documents_test
