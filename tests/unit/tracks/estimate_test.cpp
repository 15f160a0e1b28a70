#include "tracks/estimate.hpp"

#include "tests/support/catch.hpp"
#include "tracks/generator.hpp"

namespace pacenote::tracks::estimate_test {

TEST_CASE("an estimate counts what a challenge sends and what it needs on disk", "[estimate]") {
  Track track;
  track.corpora.resize(2);
  for (Corpus& corpus : track.corpora) corpus.documents.resize(1);
  track.corpora[0].name = "used";
  track.corpora[1].name = "other";
  Documents& documents = track.corpora[0].documents[0];
  documents.count = 1050;
  documents.archive = "d.json.bz2";
  documents.compressed_bytes = 1000;
  documents.uncompressed_bytes = 9000;
  Challenge challenge;
  challenge.schedule.resize(3);
  for (Parallel& step : challenge.schedule) step.tasks.resize(1);
  Operation& bulk = challenge.schedule[0].tasks[0].operation;
  bulk.type = "bulk";
  bulk.params = {{"bulk-size", 100}, {"corpora", "used"}, {"ingest-percentage", 50}};
  Task& search = challenge.schedule[1].tasks[0];
  search.clients = 2;
  search.limits.warmup_iterations = 10;
  search.limits.iterations = 20;
  Task& timed = challenge.schedule[2].tasks[0];
  timed.limits.warmup = std::chrono::seconds(5);
  timed.limits.period = std::chrono::seconds(10);
  timed.target = TargetThroughput{4, "ops"};
  Estimate out = estimate(track, challenge);
  CHECK(out.documents == 525);
  CHECK(out.requests == 6 + 60 + 60);
  CHECK(out.timed_tasks == 0);
  CHECK(out.unpacked_bytes == 9000);
  CHECK(out.packed_bytes == 1000);
  CHECK(out.sizes_known);
  timed.target.reset();
  documents.uncompressed_bytes.reset();
  out = estimate(track, challenge);
  CHECK(out.requests == 66);
  CHECK(out.timed_tasks == 1);
  CHECK(out.seconds == 15);
  CHECK_FALSE(out.sizes_known);
  documents.archive.clear();
  documents.generator = "http_logs";
  out = estimate(track, challenge);
  CHECK(out.sizes_known);
  CHECK(out.generated);
  CHECK(out.unpacked_bytes == 1050 * kUsualGeneratedBytes);
}

TEST_CASE("bytes are shown in the unit that fits", "[estimate]") {
  CHECK(readable_bytes(999) == "999 bytes");
  CHECK(readable_bytes(1500) == "1.5 kB");
  CHECK(readable_bytes(23'728'268'670) == "23.7 GB");
}

}  // namespace pacenote::tracks::estimate_test
