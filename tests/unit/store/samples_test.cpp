#include "core/error.hpp"
#include "core/sample_block.hpp"
#include "store/store.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/store_file.hpp"

namespace pacenote::samples_test {

using namespace std::chrono_literals;
using Catch::Contains;
using store::Store;
using test::same;
using test::some_samples;

const Instant kEpoch(2h);

RaceRecord race_of(const std::string& id) {
  RaceRecord race;
  race.id = id;
  return race;
}

TEST_CASE("samples come back by task, with their texts", "[samples]") {
  Store store(":memory:");
  store.create_race(race_of("a"));
  store.create_race(race_of("b"));
  Names names;
  names.id("never used");
  auto mixed = some_samples(20'000, kEpoch, names);
  for (std::size_t i = 0; i < mixed.size(); ++i) mixed[i].task = static_cast<TaskIndex>(i % 3);
  mixed[1].meta = names.id("{\"hits\":1}");
  store.add_samples("a", kEpoch, mixed, names);
  store.add_samples("a", kEpoch, some_samples(5, kEpoch, names, TaskIndex(1)), names);
  store.add_samples("a", kEpoch, {}, names);
  CHECK(store.sample_count("a") == 20'005);
  CHECK(store.sample_count("a", TaskIndex(1)) == 6'672);
  CHECK(store.sample_count("b") == 0);

  Names others;
  others.id("of another race");
  const auto back = store.samples("a", TaskIndex(1), kEpoch + 1s, others);
  REQUIRE(back.size() == 6'672);
  CHECK(others.text(back[0].unit) == "docs");
  CHECK(others.text(back[0].meta) == "{\"hits\":1}");
  CHECK(others.text(back[2].error) == "bulk: too many requests");
  CHECK(back[0].end == mixed[1].end + 1s);
  CHECK(others.since(1).size() == 4);  // not the one that no sample refers to
  CHECK(store.samples("a", std::nullopt, kEpoch, others).size() == 20'005);
  CHECK(store.samples("a", TaskIndex(9), kEpoch, others).empty());
}

TEST_CASE("what is read equals what was written, in order", "[samples]") {
  const test::StoreFile file;
  Names names, read;
  const auto samples = some_samples(3 * kBlockSamples + 1, kEpoch, names);
  {
    Store store(file.path());
    store.create_race(race_of("a"));
    store.add_samples("a", kEpoch, {samples.begin(), samples.begin() + kBlockSamples + 100}, names);
  }
  Store store(file.path());  // another process goes on
  store.add_samples("a", kEpoch, {samples.begin() + kBlockSamples + 100, samples.end()}, names);
  for (std::size_t i = 1; i < names.size(); ++i) read.id(names.text(static_cast<NameId>(i)));
  CHECK(same(store.samples("a", TaskIndex(0), kEpoch, read), samples));
  std::size_t seen = 0;
  store.each_samples("a", std::nullopt, kEpoch, read, [&](std::span<const Sample> block) {
    CHECK(same(block.front(), samples[seen]));
    CHECK(block.size() <= kBlockSamples);
    seen += block.size();
  });
  CHECK(seen == samples.size());
}

TEST_CASE("a damaged block is named", "[samples]") {
  const test::StoreFile file;
  Store store(file.path());
  store.create_race(race_of("a"));
  Names names;
  store.add_samples("a", kEpoch, some_samples(10, kEpoch, names), names);
  const std::string damage = GENERATE("UPDATE sample_block SET block = x'0102'",
                                      "UPDATE sample_block SET samples = 11", "DELETE FROM name");
  test::raw_sql(file.path(), damage);
  CHECK_THROWS_WITH(store.samples("a", std::nullopt, kEpoch, names),
                    Contains(file.path().string()) && Contains("block 1") && Contains("race a"));
}

TEST_CASE("metrics come back with all their fields", "[samples]") {
  Store store(":memory:");
  store.create_race(race_of("a"));
  const Json fields = {{"name", "node-stats"}, {"jvm_mem_heap_used_percent", 12}};
  store.add_metrics("a", kEpoch,
                    {{"merges_total_time", 17.5, "ms", kEpoch - 1s, "", "", Json()},
                     {"node-stats", std::nullopt, "", kEpoch + 3s, "node-0", "index-append", fields}});
  const auto back = store.metrics("a", Instant(5h));
  REQUIRE(back.size() == 2);
  CHECK(back[0].name == "merges_total_time");
  CHECK(back[0].value == 17.5);
  CHECK(back[0].unit == "ms");
  CHECK(back[0].at == Instant(5h) - 1s);
  CHECK(back[0].fields.is_null());
  CHECK_FALSE(back[1].value);
  CHECK(back[1].node == "node-0");
  CHECK(back[1].task == "index-append");
  CHECK(back[1].fields == fields);
}

}  // namespace pacenote::samples_test
