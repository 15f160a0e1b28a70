// `pacenote race`: load, look, ask, race, report.
#include "core/race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

#include "cli/console.hpp"
#include "cli/creations.hpp"
#include "cli/gates.hpp"
#include "cli/interruption.hpp"
#include "cli/options.hpp"
#include "cli/permission.hpp"
#include "cli/race_groups.hpp"
#include "cli/recorder.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "cli/store_flags.hpp"
#include "cli/verb.hpp"
#include "cli/warnings.hpp"
#include "core/sandbox/server.hpp"
#include "core/version.hpp"
#include "reporters/race_report.hpp"
#include "store/writer.hpp"
#include "telemetry/telemetry.hpp"
#include "tracks/corpora.hpp"
#include "tracks/loader.hpp"

namespace pacenote::cli {
namespace {

/// One run of the verb. Members are in the order in which they come to be, and go in the reverse order.
class RaceRun {
 public:
  explicit RaceRun(RaceOptions options)
      : options_(std::move(options)),
        console_(console_options(options_.quiet)),
        notes_(console_),
        signals_([this](int) { interruption_.signal(); }),
        store_(options_.store.empty() ? store::default_file() : options_.store) {}

  ~RaceRun() { interruption_.now({}); }  // what a signal would stop is about to go

  ExitCode run() {
    check_names();
    begin();
    load_track();
    find_cluster();
    tracks::prepare(
        loaded_.track, loaded_.challenge, data_dir(), options_.test_mode,
        [this](const std::string& what, std::uint64_t done, std::uint64_t total, const std::string& unit) {
          check_interrupted();
          console_.preparing(what, done, total, unit);
        });
    check_interrupted();
    if (!options_.sandbox)
      ask_permission(*session_, loaded_.track, loaded_.challenge, store_, record_.cluster.uuid,
                     options_.allow_destructive, console_);
    return race();
  }

 private:
  std::filesystem::path data_dir() const {
    return options_.data_dir.empty() ? tracks::default_data_dir() : options_.data_dir;
  }

  void check_interrupted() {
    if (interruption_.interrupted())
      throw UserError("interrupted before the race began", "", exit_code(signals_.received()));
  }

  /// What is wrong with the flags is said before anything is made or sent.
  void check_names() {
    for (const std::string& device : options_.telemetry)
      Registry<telemetry::DeviceType>::get("telemetry device", device);
    report_ = {options_.report_format, options_.report_file.string(), options_.report_numbers_align,
               options_.show_in_report, false};
    Registry<reporters::Format>::get("report format", report_.format);
    static_cast<void>(report_.options());
    if (!report_.file.empty()) write_file(report_.file, "", FileMode::append);
  }

  void begin() {
    started_ = std::chrono::steady_clock::now();
    record_.id = options_.race_id;
    record_.started = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    record_.pipeline = options_.pipeline;
    record_.user_tags = options_.user_tags;
    record_.track_params = without_secrets(options_.track_params);
    record_.settings = settings_for_store(options_);
    record_.version = kVersion;
    console_.info(fmt::format("Race id is [{}]", record_.id));
  }

  void load_track() {
    tracks::LoadOptions load;
    load.track = options_.track;
    load.track_path = options_.track_path;
    load.challenge = options_.challenge;
    load.params = options_.track_params;
    load.ignore_unused_params = options_.ignore_unused_track_params;
    load.include_tasks = options_.include_tasks;
    load.exclude_tasks = options_.exclude_tasks;
    load.test_mode = options_.test_mode;
    load.python = options_.python;
    loaded_ = tracks::load(load);
    for (const std::string& warning : loaded_.warnings) notes_.warning(warning);
    if (!loaded_.challenge.user_info.empty()) console_.info(loaded_.challenge.user_info);
    record_.track = loaded_.track.name;
    record_.challenge = loaded_.challenge.name;
    record_.challenge_auto_generated = loaded_.challenge.auto_generated;
    check_gates_fit();
  }

  /// A gate that can never be held against anything is a mistake that must not wait for the race's end.
  void check_gates_fit() {
    gates_ = gates_from(options_.fail_on);
    std::vector<std::string> tasks;
    for (const Parallel& element : loaded_.challenge.schedule)
      for (const Task& task : element.tasks) tasks.push_back(task.name);
    reporters::check_before_race(gates_, tasks);
    if (!options_.junit_file.empty()) write_file(options_.junit_file, "", FileMode::append);
  }

  void find_cluster() {
    if (options_.sandbox) {
      sandbox_.emplace(sandbox::Options{});
      options_.target.hosts = {Host{"127.0.0.1", sandbox_->port(), false, ""}};
    }
    session_.emplace(options_.target);
    interruption_.now([this] { session_->interrupt(); });
    constexpr Duration kPatience = std::chrono::seconds(30);
    record_.cluster = session_->run(probe(session_->transport(), session_->clock(), options_.target,
                                          options_.skip_rest_api_check ? Duration::zero() : kPatience));
    options_.target.product = record_.cluster.product;
    options_.target.major = record_.cluster.major;
    interruption_.now({});
    session_.emplace(options_.target);  // now that it is known which media types the cluster takes
    interruption_.now([this] { session_->interrupt(); });
    check_interrupted();
  }

  std::uint32_t driver_threads() const {
    if (options_.driver_threads != 0) return options_.driver_threads;
    const std::uint32_t cores = std::thread::hardware_concurrency();
    return std::clamp(cores / 2, 1u, 8u);  // telemetry, the writer and the system need some, too
  }

  ExitCode race() {
    Names names;
    store::Writer writer(store_, record_.id, started_, names, notes_);
    telemetry::Options devices;
    devices.devices = options_.telemetry;
    devices.params = options_.telemetry_params;
    telemetry::Telemetry telemetry(devices, options_.target, loaded_.track, writer, notes_);
    Creations creations(*session_, loaded_.track, record_.cluster.uuid, writer);
    Recorder recorder(loaded_.challenge,
                      {record_.id, started_, names, writer, console_, telemetry, creations});
    const RaceContext context{loaded_.track, loaded_.challenge, options_.target, writer, names,
                              notes_,        console_,          recorder};
    RaceSettings settings;
    settings.on_error = options_.on_error;
    settings.driver_threads = driver_threads();
    Race race(context, settings);
    store_.create_race(record_);  // nothing is stored of a race that cannot begin
    announce();
    telemetry.start();
    interruption_.now([&race] { race.stop(); });
    const RaceEnd end = race.run();
    interruption_.now([] {});
    telemetry.stop();
    recorder.finish();
    return conclude(end, writer, recorder);
  }

  void announce() {
    const std::string challenge =
        record_.challenge_auto_generated ? "" : fmt::format(", challenge [{}]", record_.challenge);
    console_.info(fmt::format("Racing on track [{}]{} and car ['{}'] with version [{}].", record_.track,
                              challenge, record_.car, record_.cluster.version));
    if (record_.cluster.sandbox)
      console_.info(
          "The target is pacenote's sandbox: its times say nothing about Elasticsearch or OpenSearch.");
  }

  ExitCode conclude(const RaceEnd& end, store::Writer& writer, const Recorder& recorder) {
    record_.seconds = seconds(std::chrono::steady_clock::now() - started_);
    record_.state = end.reason == StopReason::none   ? RaceState::finished
                    : end.reason == StopReason::user ? RaceState::interrupted
                                                     : RaceState::failed;
    record_.failure = end.fatal;
    const store::WriterReport kept = writer.close();
    if (!kept.error.empty())
      notes_.warning(fmt::format("{} of {} samples could not be stored: {}",
                                 kept.samples_taken - kept.samples_stored, kept.samples_taken, kept.error));
    record_.warnings = notes_.texts();
    if (kept.error.empty()) store_.update_race(record_);
    console_.flush();
    show_report(reporters::race_table(record_, recorder.results(), report_.options().summary), report_,
                FileMode::append);
    tell_limits(recorder.results());
    return verdict(end, kept, gates_passed(recorder.results()));
  }

  bool gates_passed(const Results& results) {
    const reporters::RacedSide raced{record_, results, {}};
    const auto held = reporters::check_gates(gates_, raced, sample_times(store_));
    if (!options_.junit_file.empty())
      write_file(options_.junit_file, reporters::junit_xml(raced, held), FileMode::overwrite);
    return !show_gates(held);
  }

  /// How near the load came to what this machine can drive, where that was measured.
  void tell_limits(const Results& results) {
    for (const TaskResult& task : results.tasks)
      if (task.of_calibrated && task.elapsed_s >= 0.5)
        console_.info(fmt::format(
            "{} came to {:.2g} % of the {} that this machine can drive (pacenote calibrate).", task.task,
            100 * *task.of_calibrated, task.throughput.unit == "docs/s" ? "docs/s" : "requests/s"));
  }

  ExitCode verdict(const RaceEnd& end, const store::WriterReport& kept, bool passed) {
    const auto took = std::lround(record_.seconds);
    if (end.reason == StopReason::user) {
      console_.info(fmt::format("Aborted race after {} seconds; what was measured is stored.", took));
      return exit_code(signals_.received());
    }
    if (end.reason == StopReason::error) console_.error(fmt::format("Cannot race. {}", end.fatal));
    if (end.reason == StopReason::error || !kept.error.empty()) {
      console_.info(fmt::format("FAILURE (took {} seconds)", took));
      return ExitCode::failed;
    }
    const auto hopeless = std::count(end.only_errors.begin(), end.only_errors.end(), true);
    if (hopeless == 0 && !passed) {
      console_.info(fmt::format("FINISHED, but a gate failed (took {} seconds)", took));
      return ExitCode::gate_failed;
    }
    if (hopeless == 0) {
      console_.info(fmt::format("SUCCESS (took {} seconds)", took));
      return ExitCode::ok;
    }
    console_.info(fmt::format("FINISHED, but {} task{} had only errors (took {} seconds)", hopeless,
                              hopeless == 1 ? "" : "s", took));
    return ExitCode::gate_failed;
  }

  RaceOptions options_;
  Console console_;
  Warnings notes_;
  Interruption interruption_;
  Signals signals_;
  store::Store store_;
  ReportFlags report_;
  Instant started_{};
  RaceRecord record_;
  tracks::Loaded loaded_;
  std::optional<sandbox::Server> sandbox_;
  std::optional<Session> session_;
  std::vector<reporters::Gate> gates_;
};

std::function<ExitCode()> add_race(CLI::App& command) {
  std::function<RaceOptions()> options = add_race_flags(command);
  return [options = std::move(options)] {
    RaceRun run(options());
    return run.run();
  };
}

const Registered<Verb> race_verb{"race", {"Runs a challenge of a track against a cluster.", add_race}};

}  // namespace
}  // namespace pacenote::cli
