#include "tracks/archive.hpp"

#include <archive.h>
#include <archive_entry.h>

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

TEST_CASE("an archive's name says what it is", "[archive]") {
  CHECK(archive_extension("d.json.bz2") == ".bz2");
  CHECK(archive_extension("d.tar.gz") == ".tar.gz");
  CHECK(archive_extension("d.json").empty());
  CHECK(archive_extension(".gz").empty());
}

}  // namespace pacenote::tracks::archive_test
