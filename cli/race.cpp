// `pacenote race`: load, look, ask, race, report.
#include "core/race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "cli/console.hpp"
#include "cli/creations.hpp"
#include "cli/file_limit.hpp"
#include "cli/gates.hpp"
#include "cli/interruption.hpp"
#include "cli/options.hpp"
#include "cli/permission.hpp"
#include "cli/plots.hpp"
#include "cli/race_groups.hpp"
#include "cli/race_track.hpp"
#include "cli/recorder.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "cli/store_flags.hpp"
#include "cli/verb.hpp"
#include "cli/verdict.hpp"
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
        signals_([this](int) { interruption_.signal(); }) {}

  ~RaceRun() { interruption_.now({}); }  // what a signal would stop is about to go

  ExitCode run() {
    try {
      prepare();
    } catch (const UserError&) {
      check_interrupted();  // then that is the reason, whatever failed for it
      throw;
    }
    return race();
  }

 private:
  /// All that comes before the first request of the load.
  void prepare() {
    check_names();
    begin();
    // Which branch of a repository is meant depends on the server's version; else nothing is sent first.
    const bool version_first = !options_.repository.source.empty() && options_.repository.revision.empty();
    if (version_first) find_cluster();
    load_track();
    check_interrupted();
    if (!version_first) find_cluster();
    if (!version_first && is_of_another_flavor()) load_track();
    tell_of_track();
    need_files(client_count(loaded_.challenge));
    tracks::prepare(loaded_.track, loaded_.challenge, prepare_options());
    check_interrupted();
    if (!options_.sandbox)
      ask_permission(*session_, loaded_.track, loaded_.challenge, *store_, record_.cluster.uuid,
                     options_.allow_destructive, console_, [this] { check_interrupted(); });
  }

  std::filesystem::path data_dir() const {
    return options_.data_dir.empty() ? tracks::default_data_dir() : options_.data_dir;
  }

  tracks::PrepareOptions prepare_options() {
    tracks::PrepareOptions out;
    out.data_dir = data_dir();
    out.test_mode = options_.test_mode;
    out.offline = options_.offline;
    out.bundled_documents = !options_.track_path.empty();
    out.progress = [this](const std::string& what, std::uint64_t done, std::uint64_t total,
                          const std::string& unit) {
      check_interrupted();
      console_.preparing(what, done, total, unit);
    };
    return out;
  }

  void check_interrupted() {
    if (interruption_.interrupted())
      throw UserError("interrupted before the race began", "", exit_code(signals_.received()));
  }

  telemetry::Options devices() const {
    telemetry::Options out;
    out.devices = options_.telemetry;
    out.params = options_.telemetry_params;
    return out;
  }

  /// What is wrong with the flags is said before anything is made or sent.
  void check_names() {
    telemetry::check(devices(), notes_);
    report_ = {options_.report_format, options_.report_file.string(), options_.report_numbers_align,
               options_.show_in_report, options_.show_processing_time};
    Registry<reporters::Format>::get("report format", report_.format);
    static_cast<void>(report_.options());
    if (!report_.file.empty()) write_file(report_.file, "", FileMode::append);
  }

  void begin() {
    started_ = std::chrono::steady_clock::now();
    constexpr Duration kLockPatience = std::chrono::seconds(5);
    store_.emplace(options_.store.empty() ? store::default_file() : options_.store, kLockPatience,
                   &interruption_.interrupted());
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
    tracks::LoadOptions load = load_options(options_, record_.cluster, operator_, data_dir(), notes_);
    if (!options_.repository.source.empty()) record_.track_revision = tracks::revision_of(load.track_path);
    tracks::SideCar side_car(options_.python);
    side_car.check = [this] { check_interrupted(); };
    load.side_car = &side_car;
    loaded_ = tracks::load(load);
    record_.track = loaded_.track.name;
    record_.challenge = loaded_.challenge.name;
    record_.challenge_auto_generated = loaded_.challenge.auto_generated;
    check_gates_fit();
  }

  /// Mistakes are told before anything is sent, so a track is first read for the flavour that most are.
  bool is_of_another_flavor() const {
    return record_.cluster.flavor == "serverless" ||
           (loaded_.flavored && record_.cluster.flavor != "default");
  }

  void tell_of_track() {
    for (const std::string& warning : loaded_.warnings) notes_.warning(warning);
    for (const std::string& note : loaded_.notes) console_.info(note);
    if (!loaded_.challenge.user_info.empty()) console_.info(loaded_.challenge.user_info);
  }

  /// A gate that can never be held against anything is a mistake that must not wait for the race's end.
  void check_gates_fit() {
    gates_ = gates_for_race(options_.fail_on, loaded_.challenge);
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
    record_.cluster =
        session_->run(probe(session_->transport(), session_->clock(), options_.target,
                            options_.skip_rest_api_check ? Duration::zero() : kPatience, notes_));
    options_.target.product = record_.cluster.product;
    options_.target.major = record_.cluster.major;
    interruption_.now({});
    session_.emplace(options_.target);  // now that it is known which media types the cluster takes
    interruption_.now([this] { session_->interrupt(); });
    if (record_.cluster.flavor == "serverless") {
      operator_ = session_->run(speaks_as_operator(session_->transport()));
      console_.info(fmt::format("Detected Elasticsearch Serverless mode with operator=[{}].", operator_));
    }
    check_interrupted();
  }

  std::uint32_t driver_threads() const {
    const std::uint32_t half = std::thread::hardware_concurrency() / 2;  // others need some, too
    return options_.driver_threads != 0 ? options_.driver_threads : std::clamp(half, 1u, 8u);
  }

  /// Each client keeps one connection to each host; telemetry, the store and the files of corpora need some,
  /// too.
  void need_files(std::uint32_t clients) const {
    const std::size_t hosts = std::max<std::size_t>(1, options_.target.hosts.size());
    raise_file_limit(clients * hosts * (options_.sandbox ? 2 : 1) + 100);
  }

  ExitCode race() {
    Names names;
    store::Writer writer(*store_, record_.id, started_, names, notes_);
    telemetry::Telemetry telemetry(devices(), options_.target, loaded_.track, writer, notes_);
    Creations creations(*session_, loaded_.track, record_.cluster.uuid, writer);
    Recorder recorder(loaded_.challenge,
                      {record_.id, started_, names, writer, console_, telemetry, creations});
    const RaceContext context{loaded_.track, loaded_.challenge, options_.target, writer, names,
                              notes_,        console_,          recorder};
    RaceSettings settings;
    settings.on_error = options_.on_error;
    settings.driver_threads = driver_threads();
    Race race(context, settings);
    store_->create_race(record_);  // nothing is stored of a race that cannot begin
    recorder.begin();
    announce();
    interruption_.now([&telemetry] { telemetry.hurry(); });
    telemetry.start();
    interruption_.now([&race] { race.stop(); });
    const RaceEnd end = race.run();
    interruption_.now([&telemetry] { telemetry.hurry(); });
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
      console_.info("The target is the sandbox: its times say nothing about Elasticsearch or OpenSearch.");
  }

  ExitCode conclude(const RaceEnd& end, store::Writer& writer, Recorder& recorder) {
    record_.seconds = since_start();
    record_.state = end.reason == StopReason::none   ? RaceState::finished
                    : end.reason == StopReason::user ? RaceState::interrupted
                                                     : RaceState::failed;
    record_.failure = end.fatal;
    static constexpr Duration kLast = std::chrono::seconds(60), kHurried = std::chrono::seconds(1);
    interruption_.now([&writer] { writer.hurry(kHurried); });
    const store::WriterReport kept = writer.close(kLast);
    interruption_.now({});
    if (!kept.error.empty()) {
      recorder.rescue(*store_, kept.unstored);
      notes_.warning(fmt::format("{} of {} samples could not be stored: {}",
                                 kept.samples_taken - kept.samples_stored, kept.samples_taken, kept.error));
    }
    const Results& results = recorder.results();
    tell_missed_rates(results, notes_);
    record_.warnings = notes_.texts();
    if (kept.error.empty()) store_->update_race(record_);
    console_.flush();
    show_report(race_table(record_, results, report_.options().summary), report_, FileMode::append);
    if (kept.error.empty() && !options_.quiet) show_plots(*store_, record_.id, results, report_);
    tell_limits(results, console_);
    const bool passed = gates_passed(results);
    const int signal = interruption_.interrupted() ? signals_.received() : 0;
    return tell({end, kept, passed, signal, since_start()}, console_);
  }

  double since_start() const { return seconds(std::chrono::steady_clock::now() - started_); }

  bool gates_passed(const Results& results) {
    const reporters::RacedSide raced{record_, results, {}};
    const auto held = reporters::check_gates(gates_, raced, sample_times(*store_));
    if (!options_.junit_file.empty())
      write_file(options_.junit_file, reporters::junit_xml(raced, held), FileMode::overwrite);
    return !show_gates(held);
  }

  RaceOptions options_;
  Console console_;
  Warnings notes_;
  Interruption interruption_;
  Signals signals_;
  std::optional<store::Store> store_;
  ReportFlags report_;
  Instant started_{};
  RaceRecord record_;
  bool operator_ = false;  ///< of a serverless cluster
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
