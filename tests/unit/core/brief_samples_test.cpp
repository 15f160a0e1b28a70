#include "core/brief_samples.hpp"

#include <random>

#include "tests/support/catch.hpp"

namespace pacenote::brief_samples_test {

bool same_in_brief(const Sample& a, const Sample& b) {
  return a.begin == b.begin && a.sent == b.sent && a.received == b.received && a.end == b.end &&
         a.due == b.due && a.type == b.type && a.ok == b.ok && a.throttled == b.throttled &&
         a.weight == b.weight && a.unit == b.unit && a.throughput == b.throughput;
}

TEST_CASE("samples in brief are the same in all that matters, whatever blocks they came in",
          "[brief_samples]") {
  std::mt19937_64 random(5);
  const auto span = [&](std::uint64_t most) { return Duration(static_cast<std::int64_t>(random() % most)); };
  std::vector<std::vector<Sample>> blocks(60);
  BriefSamples brief;
  for (std::vector<Sample>& block : blocks) {
    block.resize(random() % 40);
    const bool long_ones = random() % 4 == 0, various = random() % 4 == 0;
    const double weight = static_cast<double>(random() % 3);
    for (Sample& sample : block) {
      sample.begin = Instant(std::chrono::hours(1)) + span(1'000'000'000);
      sample.sent = sample.begin + span(long_ones ? 9'000'000'000 : 4'000'000'000);
      sample.received = sample.sent + span(various ? 10 : 200'000'000) - Duration(various ? 5 : 0);
      sample.end = sample.received + span(1'000'000);
      sample.due = sample.begin - span(long_ones ? 9'000'000'000 : 1'000'000);
      sample.ok = random() % 9 != 0;
      sample.throttled = true;
      if (various && random() % 2 == 0) sample.throttled = false;
      sample.weight = various ? static_cast<double>(random() % 3) : weight;
      if (various && random() % 2 == 0) sample.unit = NameId{7};
      if (various && random() % 2 == 0) sample.type = SampleType::warmup;
      if (various && random() % 2 == 0) sample.throughput = 3.5;
    }
    brief.add(block);
  }
  std::erase_if(blocks, [](const auto& block) { return block.empty(); });
  std::size_t next = 0;
  brief.each([&](std::span<const Sample> block) {
    REQUIRE(next < blocks.size());
    const std::vector<Sample>& expected = blocks[next++];
    REQUIRE(std::equal(block.begin(), block.end(), expected.begin(), expected.end(), same_in_brief));
  });
  CHECK(next == blocks.size());
}

}  // namespace pacenote::brief_samples_test
