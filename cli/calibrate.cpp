// `pacenote calibrate`: how much load this machine can drive, so that a race can say how near it came.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <mutex>

#include "cli/console.hpp"
#include "cli/store_flags.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "core/calibration.hpp"
#include "core/names.hpp"
#include "core/race.hpp"
#include "core/sandbox/server.hpp"
#include "core/text.hpp"
#include "tracks/corpora.hpp"
#include "tracks/loader.hpp"

namespace pacenote::cli {
namespace {

struct CalibrateFlags {
  double seconds = 2;
  std::uint32_t driver_threads = 1;
  std::filesystem::path data_dir;
};

/// Adds up what a race did; keeps nothing.
class Total final : public SampleSink, public Notes, public ErrorLog, public StepObserver {
 public:
  void add(std::vector<Sample> samples) override {
    const std::lock_guard lock(mutex_);
    for (const Sample& sample : samples) {
      weight_ += sample.weight;
      begin_ = std::min(begin_, sample.begin);
      end_ = std::max(end_, sample.end);
      if (!sample.throttled) continue;
      first_due_ = std::min(first_due_, sample.due);
      last_due_ = std::max(last_due_, sample.due);
      last_begin_ = std::max(last_begin_, sample.begin);
    }
  }
  void info(const std::string&) override {}
  void warning(const std::string&) override {}
  void failed(std::string_view, const Outcome& outcome) override {
    const std::lock_guard lock(mutex_);
    error_ = outcome.error;
  }
  void step_begins(const std::vector<RunningTask>&) override {}
  void step_ends(const std::vector<RunningTask>&, const std::vector<TaskEnd>& ends) override {
    driver_ = ends.front().driver;
  }
  double rate() const { return weight_ / seconds(end_ - begin_); }
  double rate_reached() const {
    return std::min(1.0, seconds(last_due_ - first_due_) / seconds(last_begin_ - first_due_));
  }
  const DriverResult& driver() const { return driver_; }
  const std::string& error() const { return error_; }

 private:
  std::mutex mutex_;
  double weight_ = 0;
  Instant begin_ = Instant::max(), end_ = Instant::min();
  Instant first_due_ = Instant::max(), last_due_ = Instant::min(), last_begin_ = Instant::min();
  DriverResult driver_;
  std::string error_;
};

/// Runs one task against a null sandbox of its own.
class Trial {
 public:
  explicit Trial(std::uint32_t driver_threads) : server_(null_server()) {
    cluster_.hosts = {Host{"127.0.0.1", server_.port(), false, ""}};
    settings_.driver_threads = driver_threads;
  }
  void run(const Track& track, const Challenge& challenge, Total& total) {
    Names names;
    const RaceContext context{track, challenge, cluster_, total, names, total, total, total};
    Race(context, settings_).run();
    if (!total.error().empty())
      throw UserError(fmt::format("the calibration failed: {}", total.error()),
                      "try again while the machine is idle");
  }

 private:
  static sandbox::Options null_server() {
    sandbox::Options options;
    options.null = true;
    return options;
  }
  sandbox::Server server_;
  Cluster cluster_;
  RaceSettings settings_;
};

Challenge searches(std::uint32_t clients, double duration_s, double per_second) {
  Task task;
  task.name = "search";
  task.operation = {"search", "search", {{"index", "calibration"}, {"body", Json::object()}}, ""};
  task.clients = clients;
  task.limits.period = from_seconds(duration_s);
  if (per_second > 0) task.target = TargetThroughput{per_second, "ops"};
  Challenge out;
  out.name = "calibrate";
  out.schedule.emplace_back();
  out.schedule.back().tasks.push_back(std::move(task));
  return out;
}

/// The bundled track's ingest, once over its corpus.
tracks::Loaded ingest(const CalibrateFlags& flags) {
  tracks::LoadOptions load;
  load.track = "http_logs";
  load.challenge = "append-no-conflicts-index-only";
  load.include_tasks = {"index-append"};
  load.params = {{"bulk_indexing_clients", 8}, {"bulk_size", 5000}};
  tracks::Loaded loaded = tracks::load(load);
  Console console(console_options(false));
  tracks::PrepareOptions prepare;
  prepare.data_dir = flags.data_dir.empty() ? tracks::default_data_dir() : flags.data_dir;
  prepare.progress = [&](const std::string& what, std::uint64_t done, std::uint64_t all,
                         const std::string& unit) { console.preparing(what, done, all, unit); };
  tracks::prepare(loaded.track, loaded.challenge, prepare);
  return loaded;
}

double best_of_documents(Trial& trial, const CalibrateFlags& flags) {
  const tracks::Loaded loaded = ingest(flags);
  double best = 0;
  const Instant end = std::chrono::steady_clock::now() + from_seconds(flags.seconds);
  do {
    Total total;
    trial.run(loaded.track, loaded.challenge, total);
    best = std::max(best, total.rate());
  } while (std::chrono::steady_clock::now() < end);
  return best;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  return fmt::format("{:%Y-%m-%d}", fmt::localtime(now));
}

void show(const Calibration& found) {
  const auto whole = [](double number) { return grouped(static_cast<std::uint64_t>(number)); };
  print(fmt::format(
      "Against a server that does nothing, this machine can drive\n"
      "  bulk indexing   {:>12} docs/s, 8 clients, 5000 documents a bulk\n"
      "  small searches  {:>12} requests/s, 64 clients\n"
      "  open loop       {:>11.2f} % of 10,000 requests/s, sent {:.0f} us late (p50), {:.0f} us (p99)\n",
      whole(found.documents_per_s), whole(found.requests_per_s), 100 * found.rate_reached,
      1000 * found.late_p50_ms, 1000 * found.late_p99_ms));
}

ExitCode run_calibrate(const CalibrateFlags& flags) {
  if (!(flags.seconds > 0 && flags.seconds <= 60))
    throw UserError("--seconds must be above 0 and at most 60", "for example --seconds=5", ExitCode::usage);
  Trial trial(flags.driver_threads);
  Calibration found;
  found.date = today();
  found.documents_per_s = best_of_documents(trial, flags);
  const Track nothing;
  Total requests, planned;
  trial.run(nothing, searches(64, flags.seconds, 0), requests);
  found.requests_per_s = requests.rate();
  trial.run(nothing, searches(64, flags.seconds, 10'000), planned);
  found.rate_reached = planned.rate_reached();
  found.late_p50_ms = planned.driver().late_p50_ms.value_or(0);
  found.late_p99_ms = planned.driver().late_p99_ms.value_or(0);
  show(found);
  write_file(calibration_file(), to_json(found).dump(1) + "\n", FileMode::overwrite);
  return ExitCode::ok;
}

std::function<ExitCode()> add_calibrate(CLI::App& command) {
  const auto flags = std::make_shared<CalibrateFlags>();
  command.add_option("--seconds", flags->seconds, "How long each of the three measurements takes.")
      ->default_str("2");
  command.add_option("--driver-threads", flags->driver_threads, "As in race.")->check(CLI::Range(1u, 64u));
  command.add_option("--data-dir", flags->data_dir, "Where the corpus is kept.")->type_name("FOLDER");
  return [flags] { return run_calibrate(*flags); };
}

const Registered<Verb> calibrate_verb{
    "calibrate", {"Measures what this machine can drive, in a few seconds.", add_calibrate}};

}  // namespace
}  // namespace pacenote::cli
