// What the store costs. Prints one figure a line: samples stored per CPU-second, bytes each, seconds to
// summarize them all, seconds to open and list 10,000 races. Arguments: how many samples (default 1,000,000);
// the file, made and removed.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <random>
#include <string>

#include "core/sample_block.hpp"
#include "core/summarize.hpp"
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

/// Returns when all that was added is stored: in a race the writer has nothing else to do, and no queue
/// grows.
void keep_up(store::Writer& writer) {
  std::promise<void> stored;
  writer.post([&](store::Store&) { stored.set_value(); });
  stored.get_future().wait();
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
    std::vector<Sample> more(first, first + kFlush);
    const Duration later = static_cast<std::int64_t>(i / samples.size()) * (samples.back().end - epoch);
    for (Sample& sample : more)
      for (Instant* at :
           {&sample.due, &sample.begin, &sample.sent, &sample.first_byte, &sample.received, &sample.end})
        *at += later;
    writer.add(std::move(more));
    if (first == samples.begin()) keep_up(writer);
  }
  const store::WriterReport report = writer.close();
  fmt::print("samples-per-cpu-second {:.0f}\n",
             static_cast<double>(report.samples_stored) / (cpu_seconds() - before));
}

void summarize_samples(const store::Store& store) {
  Names names;
  const double before = wall_seconds();
  const SampleBlocks blocks = [&](const std::function<void(std::span<const Sample>)>& use) {
    store.each_samples("race", std::nullopt, Instant{}, names, use);
  };
  const TaskResult result = summarize(Task{}, blocks, names);
  fmt::print("summarize-seconds {:.3f}\n", wall_seconds() - before);
  if (result.latency.percentiles.empty()) std::abort();
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
  filter.limit = 10'000;
  filter.brief = true;  // as `pacenote list races` asks
  const double before = wall_seconds();
  if (store::Store(file).races(filter).size() != filter.limit) std::abort();
  fmt::print("list-seconds {:.3f}\n", wall_seconds() - before);
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
  fmt::print("bytes-per-sample {:.1f}\n",
             static_cast<double>(std::filesystem::file_size(file)) / static_cast<double>(count));
  summarize_samples(store::Store(file));
  std::filesystem::remove(file);
  list_races(file);
  std::filesystem::remove(file);
}
