#include "core/sample_block.hpp"

#include <limits>
#include <random>

#include "tests/support/catch.hpp"
#include "tests/support/store_file.hpp"

namespace pacenote::sample_block_test {

using test::same;
using test::some_samples;

const Instant kEpoch = Instant(std::chrono::hours(3));

std::string encoded(const std::vector<Sample>& samples, Instant epoch = kEpoch) {
  std::string block;
  encode_samples(samples, epoch, block);
  return block;
}

std::vector<Sample> decoded(std::string_view block, Instant epoch = kEpoch) {
  std::vector<Sample> samples;
  REQUIRE(decode_samples(block, epoch, samples));
  return samples;
}

/// Any value of each field, extremes often.
std::vector<Sample> wild_samples(std::size_t count, std::mt19937_64& random) {
  const auto number = [&]() -> std::uint64_t {
    switch (random() % 4) {
      case 0:
        return 0;
      case 1:
        return std::numeric_limits<std::uint64_t>::max();
      case 2:
        return random() >> (random() % 64);
      default:
        return random();
    }
  };
  const auto instant = [&] { return Instant(Duration(static_cast<std::int64_t>(number()))); };
  std::vector<Sample> samples(count);
  for (Sample& s : samples) {
    s.task = static_cast<TaskIndex>(number());
    s.client = static_cast<ClientId>(number());
    s.type = random() % 2 != 0 ? SampleType::warmup : SampleType::normal;
    s.throttled = random() % 2 != 0;
    s.ok = random() % 2 != 0;
    s.reused = random() % 2 != 0;
    s.status = static_cast<std::int16_t>(number());
    s.attempts = static_cast<std::uint16_t>(number());
    for (const auto field : {&Sample::due, &Sample::begin, &Sample::sent, &Sample::first_byte,
                             &Sample::received, &Sample::end}) {
      s.*field = instant();
    }
    s.weight = std::bit_cast<double>(number());
    s.throughput = std::bit_cast<double>(number());
    s.unit = static_cast<NameId>(number());
    s.error = static_cast<NameId>(number());
    s.meta = static_cast<NameId>(number());
    s.took_ms = static_cast<std::int64_t>(number());
    s.bytes_out = number();
    s.bytes_in = number();
    s.items_ok = number();
    s.items_failed = number();
  }
  return samples;
}

TEST_CASE("a block gives back what went in", "[sample_block]") {
  Names names;
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{777}, kBlockSamples}) {
    const auto samples = some_samples(count, kEpoch, names);
    CHECK(same(decoded(encoded(samples)), samples));
  }
}

TEST_CASE("every value of every field survives", "[sample_block]") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    const auto samples = wild_samples(random() % 50, random);
    CHECK(same(decoded(encoded(samples)), samples));
  }
}

TEST_CASE("instants move with the epoch, and what did not take place stays so", "[sample_block]") {
  Names names;
  auto samples = some_samples(20, kEpoch, names);
  samples[3].first_byte = samples[3].received = Instant{};
  samples[4].end = Instant{};
  const Instant later = kEpoch + std::chrono::hours(5);
  const auto moved = decoded(encoded(samples), later);
  CHECK(moved[2].end - later == samples[2].end - kEpoch);
  CHECK(moved[3].sent - later == samples[3].sent - kEpoch);
  CHECK(moved[3].first_byte == Instant{});
  CHECK(moved[4].end == Instant{});
  CHECK(moved[5].end - later == samples[5].end - kEpoch);
}

TEST_CASE("samples of a race take under 40 bytes", "[sample_block]") {
  Names names;
  auto samples = some_samples(kBlockSamples, kEpoch, names);
  std::mt19937_64 random(1);
  std::exponential_distribution<double> spread(1);
  for (Sample& s : samples) {  // times as noisy as real ones
    s.received = s.end - Duration(static_cast<std::int64_t>(spread(random) * 1e4));
    s.first_byte = s.received - Duration(static_cast<std::int64_t>(spread(random) * 1e5));
    s.sent = s.first_byte - Duration(static_cast<std::int64_t>(spread(random) * 1e7));
    s.begin = s.sent - Duration(static_cast<std::int64_t>(spread(random) * 1e5));
    s.due = s.begin - Duration(static_cast<std::int64_t>(spread(random) * 1e6));
    s.bytes_in += random() % 100'000;
  }
  CHECK(encoded(samples).size() < 40 * samples.size());
}

TEST_CASE("a block is appended, and several can follow each other in a string", "[sample_block]") {
  Names names;
  const auto samples = some_samples(10, kEpoch, names);
  std::string block = "before";
  encode_samples(samples, kEpoch, block);
  std::vector<Sample> twice = samples;
  REQUIRE(decode_samples(std::string_view(block).substr(6), kEpoch, twice));
  CHECK(twice.size() == 20);
  CHECK(same(twice.back(), samples.back()));
}

TEST_CASE("a malformed block is refused and leaves nothing behind", "[sample_block]") {
  Names names;
  std::mt19937_64 random(3);
  const std::string block = encoded(some_samples(300, kEpoch, names));
  std::vector<Sample> out(1);
  for (std::size_t length = 0; length < block.size(); ++length) {
    CHECK_FALSE(decode_samples(std::string_view(block).substr(0, length), kEpoch, out));
  }
  CHECK_FALSE(decode_samples(block + "x", kEpoch, out));
  CHECK_FALSE(decode_samples("\x02" + block.substr(1), kEpoch, out));
  CHECK_FALSE(decode_samples("\x01\xff\xff\xff\x7f", kEpoch, out));  // 268 million samples
  CHECK(out.size() == 1);
  for (int round = 0; round < 5000; ++round) {  // whatever comes: no more than a block of samples
    std::string broken = block;
    for (int k = 0; k < 3; ++k) broken[random() % broken.size()] = static_cast<char>(random());
    if (!decode_samples(broken, kEpoch, out)) CHECK(out.size() == 1);
    out.resize(1);
  }
}

TEST_CASE("a reader of blocks gives what each of them holds, whatever was in the one before",
          "[sample_block]") {
  std::mt19937_64 random(7);
  SampleReader reader;
  for (int round = 0; round < 200; ++round) {
    std::vector<Sample> samples = wild_samples(1 + random() % 50, random);
    const auto constant = [&](auto field) {
      if (random() % 4 == 0) return;
      const auto value = random() % 2 == 0 ? samples[0].*field : Sample{}.*field;
      for (Sample& sample : samples) sample.*field = value;
    };
    constant(&Sample::task), constant(&Sample::client), constant(&Sample::status), constant(&Sample::weight);
    constant(&Sample::unit), constant(&Sample::attempts), constant(&Sample::took_ms), constant(&Sample::ok);
    constant(&Sample::items_ok), constant(&Sample::items_failed), constant(&Sample::throughput);
    const std::string block = encoded(samples);
    const auto read = reader.read(block, kEpoch);
    REQUIRE(read);
    REQUIRE(read->size() == samples.size());
    const std::vector<Sample> expected = decoded(block);
    CHECK(same(std::vector<Sample>(read->begin(), read->end()), expected));
    for (Sample& sample : *read) sample.unit = sample.error = sample.meta = NameId{42};  // as the store does
    if (round % 10 == 0)
      CHECK_FALSE(reader.read(std::string_view(block).substr(0, block.size() - 1), kEpoch));
  }
}

}  // namespace pacenote::sample_block_test
