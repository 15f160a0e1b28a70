#include "tracks/archive.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <fstream>

#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"
#include "tests/unit/tracks/support.hpp"

namespace pacenote::tracks::archive_test {

/// Packs `text` as the member d.json, behind a member README, as the file's ending says.
void pack(const std::filesystem::path& path, const std::string& text) {
  const std::string ending = archive_extension(path.string());
  archive* out = ::archive_write_new();
  if (ending == ".zip")
    ::archive_write_set_format_zip(out);
  else if (ending.starts_with(".t"))
    ::archive_write_set_format_ustar(out);
  else
    ::archive_write_set_format_raw(out);
  if (ending.ends_with("bz2")) ::archive_write_add_filter_bzip2(out);
  if (ending.ends_with("gz")) ::archive_write_add_filter_gzip(out);
  if (ending.ends_with("zst")) ::archive_write_add_filter_zstd(out);
  REQUIRE(::archive_write_open_filename(out, path.c_str()) == ARCHIVE_OK);
  const bool members = ending == ".zip" || ending.starts_with(".t");
  for (const std::string name : {"README", "data/d.json"}) {
    if (!members && name == "README") continue;
    archive_entry* entry = ::archive_entry_new();
    const std::string content = name == "README" ? "read me" : text;
    ::archive_entry_set_pathname(entry, name.c_str());
    ::archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    ::archive_entry_set_filetype(entry, AE_IFREG);
    ::archive_entry_set_perm(entry, 0644);
    REQUIRE(::archive_write_header(out, entry) == ARCHIVE_OK);
    REQUIRE(::archive_write_data(out, content.data(), content.size()) ==
            static_cast<la_ssize_t>(content.size()));
    ::archive_entry_free(entry);
  }
  ::archive_write_close(out);
  ::archive_write_free(out);
}

TEST_CASE("every kind of archive gives its document file", "[archive]") {
  const std::string ending =
      GENERATE(as<std::string>{}, ".bz2", ".gz", ".zst", ".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2");
  const test::Folder folder;
  std::string text;
  for (int n = 0; n < 5000; ++n) text += "{\"n\":" + std::to_string(n) + "}\n";
  pack(folder.path() / ("d.json" + ending), text);
  unpack(folder.path() / ("d.json" + ending), folder.path() / "out", "d.json", text.size(),
         [](std::uint64_t) {});
  CHECK(test::read_file(folder.path() / "out") == text);
}

/// One byte of the file, that many before its end, becomes another.
void bend(const std::filesystem::path& path, std::uintmax_t before_end) {
  std::string bytes = test::read_file(path);
  bytes.at(bytes.size() - before_end) ^= 1;
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string complaint(const std::filesystem::path& file, const test::Folder& folder) {
  return test::refusal([&] { unpack(file, folder.path() / "out", "d.json", {}, [](std::uint64_t) {}); });
}

TEST_CASE("a wrong checksum or length is found in gzip, by itself and around tar", "[archive]") {
  const std::string ending = GENERATE(as<std::string>{}, ".gz", ".tar.gz", ".tgz");
  const std::uintmax_t where = GENERATE(2U, 6U);  // in the length; in the checksum
  const test::Folder folder;
  const std::filesystem::path file = folder.path() / ("d.json" + ending);
  pack(file, "{\"n\":1}\n{\"n\":2}\n");
  bend(file, where);
  CHECK_THAT(complaint(file, folder), Catch::Contains("is damaged"));
}

TEST_CASE("text that only has the name of an archive is none", "[archive]") {
  const std::string ending = GENERATE(as<std::string>{}, ".gz", ".bz2", ".zst", ".zip", ".tgz", ".tar");
  const test::Folder folder;
  const std::filesystem::path file = folder.path() / ("d.json" + ending);
  for (const char* text : {"{\"n\":1}\n", "<html><body>Not found</body></html>\n"}) {
    std::ofstream(file, std::ios::binary) << text;
    CHECK_THAT(complaint(file, folder), Catch::Contains("archive"));
  }
}

TEST_CASE("an archive's name says what it is", "[archive]") {
  CHECK(archive_extension("d.json.bz2") == ".bz2");
  CHECK(archive_extension("d.tar.gz") == ".tar.gz");
  CHECK(archive_extension("d.json").empty());
  CHECK(archive_extension(".gz").empty());
}

}  // namespace pacenote::tracks::archive_test
