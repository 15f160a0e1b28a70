#include "tracks/corpora.hpp"

#include <zlib.h>

#include "tests/support/catch.hpp"
#include "tests/unit/tracks/support.hpp"
#include "tracks/files.hpp"

namespace pacenote::tracks::corpora_test {

using test::refusal;

std::string lines(std::size_t count) {
  std::string out;
  for (std::size_t n = 0; n < count; ++n) out += "{\"n\":" + std::to_string(1000 + n) + "}\n";
  return out;
}

void write_gz(const std::filesystem::path& path, const std::string& text) {
  gzFile out = ::gzopen(path.c_str(), "wb");
  REQUIRE(out != nullptr);
  ::gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  ::gzclose(out);
}

/// A track of one bulk task over one document set of 1000 documents.
struct Race {
  test::Folder folder;
  Track track;
  Challenge challenge;
  Race() {
    track.name = "t";
    track.directory = folder.path() / "track";
    std::filesystem::create_directories(track.directory);
    track.corpora.resize(1);
    track.corpora[0].name = "c";
    track.corpora[0].documents.resize(1);
    documents().file = "d.json";
    documents().count = 1000;
    challenge.schedule.resize(1);
    challenge.schedule[0].tasks.resize(1);
    challenge.schedule[0].tasks[0].name = "idx";
    challenge.schedule[0].tasks[0].operation.type = "bulk";
  }
  Documents& documents() { return track.corpora[0].documents[0]; }
  std::filesystem::path data() const { return folder.path() / "data"; }
  std::string prepared() {
    return refusal([&] {
      PrepareOptions options;
      options.data_dir = data();
      options.offline = true;
      prepare(track, challenge, options);
    });
  }
  std::size_t files(const std::filesystem::path& where) const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(where))
      count += entry.is_regular_file() ? 1 : 0;
    return count;
  }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("a corpus file is found in the track's folder and in the data folder", "[corpora]") {
  Race race;
  race.documents().uncompressed_bytes = lines(1000).size();
  const auto where = GENERATE(as<std::string>{}, "track/d.json", "data/c/d.json");
  const auto file = race.folder.write(where, lines(1000));
  CHECK(race.prepared().empty());
  CHECK(race.documents().path == file);
  CHECK(race.prepared().empty());  // the second time by the remembered count
}

TEST_CASE("(O4 a) a file that was cut is named with both sizes", "[corpora]") {
  Race race;
  race.documents().uncompressed_bytes = lines(1000).size();
  const auto file = race.folder.write("track/d.json", lines(500));
  const std::string text = race.prepared();
  CHECK(has(text, file.string()));
  CHECK(has(text, "size differs: the track declares 11000 uncompressed bytes, the file has 5500"));
  race.folder.write("track/d.json", lines(1000));
  CHECK(race.prepared().empty());
}

TEST_CASE("(O4 b) a blank line is no document", "[corpora]") {
  Race race;
  const auto file = race.folder.write("track/d.json", lines(999) + "\n");
  const std::string text = race.prepared();
  CHECK(has(text, file.string()));
  CHECK(has(text, "declares 1000 documents, the file has 999 lines and 1 blank"));
}

TEST_CASE("(O4 c) a damaged archive leaves nothing behind, and a good one then works", "[corpora]") {
  Race race;
  race.documents().archive = "d.json.gz";
  const auto archive = race.track.directory / "d.json.gz";
  write_gz(archive, lines(1000));
  const std::uintmax_t size = std::filesystem::file_size(archive);
  std::filesystem::resize_file(archive, size / 2);
  const std::string text = race.prepared();
  CHECK(has(text, archive.string()));
  CHECK(has(text, "is damaged"));
  CHECK(race.files(race.track.directory) == 1);
  write_gz(archive, lines(1000));
  CHECK(race.prepared().empty());
  CHECK(race.documents().path == race.track.directory / "d.json");
}

TEST_CASE("an archive that holds more or less than declared is refused", "[corpora]") {
  Race race;
  race.documents().archive = "d.json.gz";
  write_gz(race.track.directory / "d.json.gz", lines(1000));
  race.documents().uncompressed_bytes = 10'000;
  CHECK(has(race.prepared(), "holds more than the 10000 bytes"));
  race.documents().uncompressed_bytes = 12'000;
  CHECK(has(race.prepared(), "declares 12000 uncompressed bytes, the archive holds 11000"));
  race.documents().compressed_bytes = 1;
  CHECK(has(race.prepared(), "declares 1 compressed bytes"));
  CHECK(race.files(race.track.directory) == 1);
}

TEST_CASE("(O4 d) a missing file and (O4 e) one of another size are told apart", "[corpora]") {
  Race race;
  CHECK(has(race.prepared(), "corpus file d.json is missing: looked in"));
  CHECK(has(race.prepared(), "names no base-url"));
  race.documents().base_url = "http://h/x/";
  CHECK(has(race.prepared(), "fetch http://h/x/d.json and put it into"));
  race.documents().uncompressed_bytes = 5;
  race.folder.write("track/d.json", lines(1000));
  CHECK(has(race.prepared(), "size differs"));
}

TEST_CASE("(O4 f) a bulk task without corpora is refused", "[corpora]") {
  Race race;
  race.track.corpora.clear();
  CHECK(has(race.prepared(), "task [idx] is a bulk, but the track [t] has no corpora"));
}

TEST_CASE("only what the bulk tasks use is prepared", "[corpora]") {
  Race race;
  race.folder.write("track/d.json", lines(1000));
  Corpus other;
  other.name = "other";
  other.documents.resize(1);
  other.documents[0].file = "missing.json";
  other.documents[0].count = 1;
  race.track.corpora.push_back(other);
  Json& params = race.challenge.schedule[0].tasks[0].operation.params;
  params["corpora"] = "c";
  CHECK(race.prepared().empty());
  CHECK(race.track.corpora[1].documents[0].path.empty());
  params["corpora"] = Json::array({"othr"});
  CHECK(has(race.prepared(), "did you mean other?"));
}

TEST_CASE("documents are generated once into the data folder", "[corpora]") {
  Race race;
  race.documents().generator = "access-log";
  CHECK(race.prepared().empty());
  CHECK(race.documents().path == race.data() / "c" / "d.json");
  const auto made = std::filesystem::last_write_time(race.documents().path);
  CHECK(race.prepared().empty());
  CHECK(std::filesystem::last_write_time(race.documents().path) == made);
  std::filesystem::resize_file(race.documents().path, 5000);
  CHECK(race.prepared().empty());
  CHECK(std::filesystem::file_size(race.documents().path) > 100'000);
}

TEST_CASE("file names that leave the folders are refused", "[corpora]") {
  Race race;
  race.documents().file = "../../etc/shadow";
  CHECK(has(race.prepared(), "lies outside"));
  race.documents().file = "d.json";
  race.track.corpora[0].name = "/etc";
  CHECK(has(race.prepared(), "lies outside"));
}

TEST_CASE("links do not lead out of the track's folder", "[corpora]") {
  Race race;
  race.folder.write("secret.json", lines(1000));
  race.folder.write("track/real.json", lines(1000));
  const std::filesystem::path track = race.folder.path() / "track";
  std::filesystem::create_symlink(track / "real.json", track / "inside.json");
  std::filesystem::create_symlink(race.folder.path() / "secret.json", track / "outside.json");
  race.documents().file = "inside.json";
  CHECK(race.prepared().empty());
  race.documents().file = "outside.json";
  CHECK(has(race.prepared(), "leads out of the track's folder"));
  CHECK(has(test::refusal([&] { TrackFiles(track, "track.json").read("outside.json"); }), "leads out of"));
  CHECK_FALSE(TrackFiles(track, "track.json").read("inside.json").empty());
  std::filesystem::create_directories(race.data() / "c");
  std::filesystem::create_symlink(race.folder.path() / "secret.json", race.data() / "c" / "elsewhere.json");
  race.documents().file = "elsewhere.json";  // the data folder is its user's
  CHECK(race.prepared().empty());
}

TEST_CASE("a data folder that cannot be made is named with the flag", "[corpora]") {
  Race race;
  race.documents().generator = "access-log";
  race.folder.write("data", "a file, not a folder");
  const std::string text = race.prepared();
  CHECK(has(text, race.data().string()));
  CHECK(has(text, "--data-dir"));
}

}  // namespace pacenote::tracks::corpora_test
