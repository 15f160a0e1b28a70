// What the store costs: samples stored per CPU-second, bytes each, reading them all, listing 10,000 races.
// Arguments: how many samples (default 1,000,000); the file, which is made and removed.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <random>
#include <string>

#include "core/sample_block.hpp"
#include "store/writer.hpp"

namespace {

using namespace pacenote;

class Silent final : public Notes {
  void info(const std::string&) override {}
  void warning(const std::string& text) override { fmt::print(stderr, "{}\n", text); }
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

double wall_seconds() { return seconds(std::chrono::steady_clock::now().time_since_epoch()); }

/// As bulk requests of 8 clients make them: every instant noisy.
std::vector<Sample> noisy_samples(std::size_t count, Instant epoch, Names& names) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> spread(1);
  const auto about = [&](double ns) { return Duration(static_cast<std::int64_t>(spread(random) * ns)); };
  std::vector<Sample> samples(count);
  Instant now = epoch;
  for (Sample& sample : samples) {
    now += about(1e5);
    sample.client = static_cast<ClientId>(random() % 8);
    sample.status = 200;
    sample.throttled = sample.reused = true;
    sample.end = now;
    sample.received = sample.end - about(5e3);
    sample.first_byte = sample.received - about(5e3);
    sample.sent = sample.first_byte - about(5e6);
    sample.begin = sample.sent - about(5e4);
    sample.due = sample.begin - about(1e4);
    sample.weight = 5000;
    sample.items_ok = 5000;
    sample.unit = names.id("docs");
    sample.took_ms = static_cast<std::int64_t>(random() % 300);
    sample.bytes_out = 650'000 + random() % 5000;
    sample.bytes_in = 150 + random() % 5;
  }
  return samples;
}

void write_samples(store::Store& store, std::size_t count) {
  constexpr std::size_t kFlush = 1024;  // what a driver thread hands over at a time
  Names names;
  Silent notes;
  const Instant epoch(std::chrono::hours(1));
  const auto samples = noisy_samples(64 * kFlush, epoch, names);
  const double before = cpu_seconds();
  store::Writer writer(store, "race", epoch, names, notes, std::size_t{4} << 30);
  for (std::size_t i = 0; i < count; i += kFlush) {
    const auto first = samples.begin() + static_cast<std::ptrdiff_t>(i % samples.size());
    writer.add(std::vector<Sample>(first, first + kFlush));
  }
  const store::WriterReport report = writer.close();
  fmt::print("stored {} samples: {:.2f} M per CPU-second (must reach 3)\n", report.samples_stored,
             static_cast<double>(report.samples_stored) / (cpu_seconds() - before) / 1e6);
}

void read_samples(const store::Store& store) {
  Names names;
  const double before = wall_seconds();
  std::uint64_t count = 0;
  Duration total{};
  store.each_samples("race", std::nullopt, Instant{}, names, [&](std::span<const Sample> block) {
    for (const Sample& sample : block) total += sample.service_time();
    count += block.size();
  });
  fmt::print("read {} samples in {:.2f} s, mean service time {:.2f} ms\n", count, wall_seconds() - before,
             seconds(total) * 1e3 / static_cast<double>(count));
}

void list_races(const std::filesystem::path& file) {
  {
    store::Store store(file);
    for (int i = 0; i < 10'000; ++i) {
      RaceRecord race;
      race.id = fmt::format("race-{}", i);
      race.started = WallTime(std::chrono::seconds(i));
      race.state = RaceState::finished;
      race.user_tags = {{"number", i}};
      race.settings = {{"track", "http_logs"}, {"client-options", {{"timeout", 60}}}};
      store.create_race(race);
      store.save_results(race.id, {});
    }
  }
  store::RaceFilter filter;
  for (const std::size_t limit : {std::size_t{10}, std::size_t{10'000}}) {
    filter.limit = limit;
    const double before = wall_seconds();
    const std::size_t listed = store::Store(file).races(filter).size();
    fmt::print("opened and listed {} of 10,000 races in {:.3f} s (at most 0.2)\n", listed,
               wall_seconds() - before);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::stoul(argv[1]) : 1'000'000;
  const std::filesystem::path file =
      argc > 2 ? argv[2] : std::filesystem::temp_directory_path() / "pacenote-store-bench.db";
  std::filesystem::remove(file);
  {
    store::Store store(file);
    RaceRecord race;
    race.id = "race";
    store.create_race(race);
    write_samples(store, count);
  }
  fmt::print("{:.1f} bytes each (at most 40)\n",
             static_cast<double>(std::filesystem::file_size(file)) / static_cast<double>(count));
  read_samples(store::Store(file));
  std::filesystem::remove(file);
  list_races(file);
  std::filesystem::remove(file);
}
