#include "tracks/create/create_track.hpp"

#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <map>

#include "core/json.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/notes.hpp"
#include "tests/support/run.hpp"
#include "tests/support/scripted_transport.hpp"
#include "tests/unit/tracks/support.hpp"
#include "tracks/bz2.hpp"
#include "tracks/create/search_page.hpp"
#include "tracks/create/track_text.hpp"

namespace pacenote::create_track_test {

using test::Asked;
using test::Reply;

/// A cluster with one index of two shards whose documents are written as no serializer would write them.
class Engine {
 public:
  explicit Engine(int documents) {
    for (int i = 0; i < documents; ++i)
      shards_[i % 2].push_back(fmt::format("{{\"n\" : {}, \"text\":\"\\u00e9 {{{{\"}}", i));
  }

  bool points_in_time = true;
  std::map<std::string, int> open;  ///< shard by cursor, -1: both
  std::map<std::string, std::size_t> scrolled;

  std::string all() const {
    std::string out;
    for (const auto& shard : shards_)
      for (const std::string& document : shard) out += document + "\n";
    return out;
  }

  Reply answer(const Asked& asked) {
    const Json body = asked.body.empty() ? Json() : pacenote::parse_json(asked.body);
    const std::string& target = asked.target;
    if (asked.method == "GET" && target == "/logs?expand_wildcards=all") return ok(kIndex);
    if (target == "/logs/_count")
      return ok(fmt::format("{{\"count\":{}}}", shards_[0].size() + shards_[1].size()));
    if (asked.method == "DELETE") return ok("{}");
    if (target.find("/_pit?") != std::string::npos || target.find("/point_in_time?") != std::string::npos)
      return open_point(target);
    if (target == "/_search") return page_of_point(body);
    return scroll(target, body);
  }

 private:
  static constexpr const char* kIndex = R"({"logs":{"aliases":{},"mappings":{"_meta":{"by":"{{x}}"}},
    "settings":{"index":{"number_of_shards":"2","number_of_replicas":"1","uuid":"u","creation_date":"1",
    "default_pipeline":"p","blocks":{"write":"true"},"version":{"created":"1"},"codec":"best_compression"}}}})";

  static Reply ok(std::string body) { return {200, std::move(body), "", Failure::none, Duration(0)}; }

  Reply open_point(const std::string& target) {
    if (!points_in_time) return {400, R"({"error":"no handler"})", "", Failure::none, Duration(0)};
    const std::size_t preference = target.find("_shards%3A");
    const int shard = preference == std::string::npos ? -1 : target.at(preference + 10) - '0';
    const std::string id = fmt::format("point-{}", ++points_);
    open[id] = shard;
    return ok(fmt::format(R"({{"id":"{}"}})", id));
  }

  Reply page_of_point(const Json& body) {
    const std::string id = body.at("pit").at("id");
    if (!open.contains(id)) return {404, R"({"error":{"reason":"gone"}})", "", Failure::none, Duration(0)};
    const std::size_t after =
        body.contains("search_after") ? body["search_after"].at(0).get<std::size_t>() + 1 : 0;
    return page(documents(open.at(id)), after, body.at("size").get<std::size_t>(), "pit_id", id);
  }

  Reply scroll(const std::string& target, const Json& body) {
    const std::string id = "scroll-1";
    if (target != "/_search/scroll") scrolled[id] = 0;
    const std::size_t size = body.value("size", std::size_t{3});
    const Reply out = page(documents(-1), scrolled[id], size, "_scroll_id", id);
    scrolled[id] += size;
    return out;
  }

  std::vector<std::string> documents(int shard) const {
    if (shard >= 0) return shards_[shard];
    std::vector<std::string> out = shards_[0];
    out.insert(out.end(), shards_[1].begin(), shards_[1].end());
    return out;
  }

  static Reply page(const std::vector<std::string>& from, std::size_t begin, std::size_t size,
                    const char* key, const std::string& id) {
    std::string hits;
    for (std::size_t i = begin; i < std::min(begin + size, from.size()); ++i)
      hits += fmt::format(R"({}{{"_id":"x","_source":{},"sort":[{}]}})", i == begin ? "" : ",", from[i], i);
    return ok(fmt::format(
        R"({{"{}":"{}","took":1,"timed_out":false,"_shards":{{"total":2,"failed":0}},"hits":{{"hits":[{}]}}}})",
        key, id, hits));
  }

  std::vector<std::string> shards_[2];
  int points_ = 0;
};

/// One engine, one output folder, as many starts as the test likes.
struct Fixture {
  explicit Fixture(int documents, std::string version = "8.15.0", Product product = Product::elasticsearch)
      : engine(documents) {
    info.version = std::move(version);
    info.product = product;
    info.uuid = "cluster";
    options.track = "made";
    options.output = folder.path();
    options.indices = {"logs"};
    options.batch = 3;
    options.progress = [](const std::string&, std::uint64_t, std::uint64_t, const std::string&) {};
  }

  tracks::CreatedTrack create(std::size_t fail_at = static_cast<std::size_t>(-2)) {
    test::FakeClock clock;
    test::ScriptedTransport cluster(clock);
    cluster.answer = [this](const Asked& one) { return engine.answer(one); };
    cluster.fail_at = fail_at;
    struct Keep {
      test::ScriptedTransport& from;
      std::vector<Asked>& to;
      ~Keep() { to = from.asked; }
    } keep{cluster, asked};
    return test::run(tracks::create_track(cluster, clock, info, options, notes));
  }

  std::string text(const std::string& file) const {
    std::ifstream in(folder.path() / "made" / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string unpacked(const std::string& file) const {
    std::string out;
    tracks::unpack_bz2(folder.path() / "made" / file, [&](std::string_view part) { out += part; });
    return out;
  }
  /// Nothing but what belongs to a whole track is left.
  void check_whole() const {
    CHECK(text("logs-documents.json") == engine.all());
    CHECK(unpacked("logs-documents.json.bz2") == engine.all());
    CHECK(unpacked("logs-documents-1k.json.bz2") == text("logs-documents-1k.json"));
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "made"))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    CHECK(names == std::vector<std::string>{"challenges", "logs-documents-1k.json",
                                            "logs-documents-1k.json.bz2", "logs-documents.json",
                                            "logs-documents.json.bz2", "logs.json", "operations",
                                            "track.json"});
  }

  Engine engine;
  ClusterInfo info;
  tracks::CreateTrackOptions options;
  test::Folder folder;
  test::KeptNotes notes;
  std::vector<Asked> asked;
};

TEST_CASE("documents keep the bytes that the engine sent", "[create_track]") {
  const auto page = tracks::read_search_page(
      "{\"pit_id\" : "
      "\"p=\",\"timed_out\":false,\"_shards\":{\"failed\":0},\"hits\":{\"total\":{\"value\":2},\"hits\":[\n"
      "{\"_source\":{\n \"a\":1.50,\r\n "
      "\"b\":\"\\\"}\\n\"\n},\"sort\":[1,\"x\"]},{\"_source\":{},\"sort\":[2]} ]}}");
  REQUIRE(page.has_value());
  CHECK(page->lines == "{ \"a\":1.50, \"b\":\"\\\"}\\n\"}\n{}\n");
  CHECK(page->documents == 2);
  CHECK(page->last_sort == "[2]");
  CHECK(page->cursor == "p=");
  CHECK(page->whole);
  CHECK_FALSE(tracks::read_search_page(R"({"timed_out":true,"hits":{"hits":[]}})")->whole);
  CHECK_FALSE(tracks::read_search_page(R"({"_shards":{"failed":1},"hits":{"hits":[]}})")->whole);
  CHECK(tracks::read_search_page(R"({"hits":{"hits":[{"_id":"1"}]}})")->without_source == 1);
}

TEST_CASE("an answer that is cut anywhere is no search answer", "[create_track]") {
  const std::string whole =
      R"({"pit_id":"p","_shards":{"failed":0},"hits":{"hits":[{"_source":{"a":[1,"\\"]},"sort":[1]}]}})";
  REQUIRE(tracks::read_search_page(whole).has_value());
  for (std::size_t n = 0; n < whole.size(); ++n)
    CHECK_FALSE(tracks::read_search_page(whole.substr(0, n)).has_value());
}

TEST_CASE("every way of paging finds every document", "[create_track]") {
  const auto [version, product, pages] =
      GENERATE(table<std::string, Product, bool>({{"8.15.0", Product::elasticsearch, true},
                                                  {"7.10.2", Product::elasticsearch, true},
                                                  {"7.10.2", Product::elasticsearch, false},
                                                  {"2.19.6", Product::opensearch, true},
                                                  {"1.3.0", Product::opensearch, true}}));
  Fixture one(20, version, product);
  one.engine.points_in_time = pages;
  const tracks::CreatedTrack made = one.create();
  INFO(version << ' ' << pages);
  CHECK(made.documents == 20);
  CHECK(made.bytes == one.engine.all().size());
  one.check_whole();
}

TEST_CASE("a request that fails once is sent again, or the next start goes on", "[create_track]") {
  const std::string version = GENERATE("8.15.0", "7.10.2", "7.0.0");
  std::size_t failed = 0, survived = 0;
  for (std::size_t n = 0;; ++n) {
    Fixture one(20, version);
    bool done = false;
    try {
      one.create(n);
      done = true;
    } catch (const UserError&) {
      CHECK_FALSE(std::filesystem::exists(one.folder.path() / "made" / "track.json"));
      CHECK_FALSE(std::filesystem::exists(one.folder.path() / "made" / "logs-documents.json"));
    }
    const bool beyond = one.asked.size() <= n;
    ++(done ? survived : failed);
    if (!done) one.create();
    one.check_whole();
    if (beyond) break;
  }
  CHECK(failed >= 2);  // the questions before the first page
  CHECK(survived > 1);
}

TEST_CASE("a start that was cut goes on after the last page that is on disk", "[create_track]") {
  const std::string version = GENERATE("8.15.0", "7.10.2");
  Fixture one(20, version);
  const auto quiet = one.options.progress;
  one.options.progress = [](const std::string&, std::uint64_t done, std::uint64_t, const std::string&) {
    if (done >= 9) throw UserError("interrupted", "");
  };
  CHECK_THROWS_AS(one.create(), UserError);
  // A process that is killed may have written more than it noted.
  std::ofstream(one.folder.path() / "made" / "logs-documents.json.tmp", std::ios::app) << "{\"half\":";
  one.options.progress = quiet;
  one.create();
  one.check_whole();
  std::size_t pages = 0;
  for (const Asked& asked : one.asked) pages += asked.target == "/_search" ? 1 : 0;
  CHECK(pages <= 7);  // of 3 documents each, and the empty last one of each part
}

TEST_CASE("where the point in time is gone, the index is read anew", "[create_track]") {
  Fixture one(20);
  const auto quiet = one.options.progress;
  one.options.progress = [](const std::string&, std::uint64_t done, std::uint64_t, const std::string&) {
    if (done >= 9) throw UserError("interrupted", "");
  };
  CHECK_THROWS_AS(one.create(), UserError);
  one.options.progress = quiet;
  one.engine.open.clear();
  one.create();
  one.check_whole();
}

TEST_CASE("an index without documents has no corpus", "[create_track]") {
  Fixture one(0);
  one.create();
  CHECK(one.text("track.json").find("corpora") == std::string::npos);
  CHECK(one.text("challenges/default.json").find("bulk") == std::string::npos);
  CHECK_FALSE(std::filesystem::exists(one.folder.path() / "made" / "logs-documents.json"));
}

TEST_CASE("a track is never written over, and its name stays inside", "[create_track]") {
  Fixture one(3);
  one.create();
  CHECK(test::refusal([&] { one.create(); }).find("holds a track already") != std::string::npos);
  one.options.track = "../x";
  CHECK(test::refusal([&] { one.create(); }).find("no name for a track") != std::string::npos);
}

TEST_CASE("settings are parameters, and what only this index can have is left out", "[create_track]") {
  Fixture one(3);
  one.create();
  const std::string body = one.text("logs.json");
  CHECK(body.find(R"("number_of_shards": "{{number_of_shards | default(2)}}")") != std::string::npos);
  CHECK(body.find(R"("number_of_replicas": "{{number_of_replicas | default(1)}}")") != std::string::npos);
  CHECK(body.find("best_compression") != std::string::npos);
  CHECK(body.find(R"({{ '{{' }}x}})") != std::string::npos);  // for Jinja no variable
  for (const char* gone : {"uuid", "creation_date", "blocks", "default_pipeline", "created"})
    CHECK(body.find(gone) == std::string::npos);
}

}  // namespace pacenote::create_track_test
