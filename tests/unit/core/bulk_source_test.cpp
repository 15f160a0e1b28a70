#include "core/bulk_source.hpp"

#include <map>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/corpus_file.hpp"
#include "tests/unit/core/bulk_source_rig.hpp"

namespace pacenote::bulk_source_test {

using Fixture = test::BulkFixture;
using test::all_bulks;

TEST_CASE("a file with fewer documents than declared is named with both numbers", "[bulk_source]") {
  Fixture fixture;
  fixture.track.corpora.emplace_back().name = "c";
  fixture.add(fixture.track.corpora.back(), "{}\n{}\n{}\n", {{"docs", 10}, {"target_index", "i"}});
  fixture.use({{"bulk-size", 2}});
  const auto source = bulk_source(fixture.operation, fixture.track, {0, 0, 1});
  Call call;
  CHECK(source->next(call) == Supply::ready);
  CHECK_THROWS_WITH(source->next(call), Catch::Contains("has 3 documents, but the track declares 10"));
  CHECK_THROWS_WITH(bulk_source(fixture.operation, fixture.track, {1, 1, 2}),
                    Catch::Contains(fixture.files.front().path().string()));
}

TEST_CASE("the options of the operation go with every bulk", "[bulk_source]") {
  Fixture fixture;
  fixture.track.corpora.emplace_back().name = "c";
  fixture.add(fixture.track.corpora.back(), "{}\n{}\n", {{"docs", 2}, {"target_index", "i"}});
  fixture.use({{"bulk-size", 1}, {"request-timeout", 7}, {"opaque-id", "me"}});
  const auto source = bulk_source(fixture.operation, fixture.track, {0, 0, 1});
  Call call;
  for (int i = 0; i < 2; ++i) {
    call.options = {};
    REQUIRE(source->next(call) == Supply::ready);
    CHECK(call.options.timeout == std::chrono::seconds(7));
    CHECK(call.options.opaque_id == "me");
  }
  CHECK(source->next(call) == Supply::exhausted);
}

/// Bodies of all bulks of one share, and how many of them were slices.
struct Sliced {
  std::vector<std::string> bodies;
  int slices = 0;
};

Sliced sliced_bulks(const Fixture& fixture, Share share) {
  Sliced out;
  const auto source = bulk_source(fixture.operation, fixture.track, share);
  for (Call call; source->next(call) == Supply::ready; out.slices += call.slice ? 1 : 0) {
    out.bodies.push_back(call.body);
    if (call.slice) call.slice->read(out.bodies.back());
  }
  return out;
}

TEST_CASE("bulks of a file with a table of its lines are slices of it", "[bulk_source]") {
  const bool last_newline = GENERATE(true, false), lying = GENERATE(false, true),
             actions = GENERATE(false, true);
  Fixture fixture;
  fixture.track.corpora.emplace_back().name = "c";
  std::string content;
  std::vector<std::uint64_t> offsets;
  const std::size_t documents_per_entry = actions ? kLinesPerEntry / 2 : kLinesPerEntry;
  for (std::size_t i = 1; i <= 1000; ++i) {
    content +=
        (actions ? "{\"index\":{}}\n{\"a\":\"" : "{\"a\":\"") + std::string(i * 31 % 100, 'x') + "\"}\n";
    if (i % documents_per_entry == 0) offsets.push_back(content.size() + (lying && i > 500 ? 1 : 0));
  }
  if (!last_newline) content.pop_back();
  Documents& documents = fixture.add(
      fixture.track.corpora.back(), content,
      {{"docs", 1000}, {"action_and_meta_data", actions}, {"target_index", actions ? Json() : Json("i")}});
  fixture.use({{"bulk-size", 70}});
  const test::CorpusFile table("");
  for (std::uint32_t client = 0; client < 3; ++client) {
    const Share share{client, client, 3};
    documents.line_table.clear();
    const Sliced read = sliced_bulks(fixture, share);
    CHECK(read.slices == 0);
    documents.line_table = table.path();
    write_line_table(table.path(), InputFile(documents.path).stamp(), offsets);
    const Sliced sliced = sliced_bulks(fixture, share);
    CHECK(sliced.bodies == read.bodies);
    if (!lying) CHECK(sliced.slices == (client == 2 && !last_newline ? 4 : 5));
    if (lying) CHECK(sliced.slices == (client == 0 ? 5 : client == 1 ? 2 : 0));
  }
}

TEST_CASE("a file that is written over while its bulks go out is said to have changed", "[bulk_source]") {
  Fixture fixture;
  fixture.track.corpora.emplace_back().name = "c";
  const std::string content = "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n{\"a\":4}\n";
  Documents& documents =
      fixture.add(fixture.track.corpora.back(), content, {{"docs", 4}, {"target_index", "i"}});
  const test::CorpusFile table("");
  documents.line_table = table.path();
  write_line_table(table.path(), InputFile(documents.path).stamp(), {});
  fixture.use({{"bulk-size", 2}});
  const auto source = bulk_source(fixture.operation, fixture.track, {0, 0, 1});
  Call call;
  CHECK(source->next(call) == Supply::ready);
  CHECK(source->next(call) == Supply::ready);
  fixture.files.front().write(content + "{\"a\":5}\n");
  CHECK_THROWS_WITH(source->next(call), Catch::Contains("was changed while its documents were sent"));
}

TEST_CASE("conflicting ids are the same in every race", "[bulk_source]") {
  Fixture fixture;
  fixture.track.corpora.emplace_back().name = "c";
  std::string content;
  for (int i = 0; i < 1000; ++i) content += "{}\n";
  fixture.add(fixture.track.corpora.back(), content, {{"docs", 1000}, {"target_index", "i"}});
  fixture.use({{"bulk-size", 1000}, {"conflicts", "random"}, {"conflict-probability", 30}});
  const auto once = bulk_source(fixture.operation, fixture.track, {0, 0, 1});
  const auto again = bulk_source(fixture.operation, fixture.track, {0, 0, 1});
  const std::string body = all_bulks(*once, 1).front().body;
  CHECK(body == all_bulks(*again, 1).front().body);
  std::map<std::string, int> ids;
  for (std::size_t at = body.find("_id"); at != std::string::npos; at = body.find("_id", at + 1))
    ++ids[body.substr(at + 7, 10)];
  CHECK(ids.size() > 650);
  CHECK(ids.size() < 750);
}

}  // namespace pacenote::bulk_source_test
