#include "cli/flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cli/values.hpp"
#include "core/suggest.hpp"
#include "core/text.hpp"
#include "reporters/gate.hpp"

namespace pacenote::cli {
namespace {

constexpr std::string_view kWhat = "What to race", kWhom = "Target", kMeasure = "Measurement",
                           kShow = "Report", kOwn = "Pacenote's own";
constexpr std::string_view kDrives = "pacenote drives clusters and does not install them";

using R = RaceReading;
using V = const std::string;

[[noreturn]] void wrong(std::string_view flag, std::string_view value, std::string hint) {
  throw UserError(fmt::format("{} cannot be [{}]", flag, value), std::move(hint), ExitCode::usage);
}

std::string one_of(std::string_view flag, V& value, const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), value) == choices.end())
    wrong(flag, value, suggestion(value, choices));
  return value;
}

void set_on_error(R& r, V& value) {
  one_of("--on-error", value, {"continue", "continue-on-network", "abort"});
  r.options.on_error = value == "abort"      ? OnError::abort
                       : value == "continue" ? OnError::continue_
                                             : OnError::continue_on_network;
}

void set_pipeline(R& r, V& value) {
  const std::vector<std::string> installing = {"from-sources", "from-distribution", "docker"};
  if (std::find(installing.begin(), installing.end(), value) != installing.end())
    throw UserError(
        fmt::format("--pipeline={} is not supported: {}", value, kDrives),
        "start the cluster yourself, then race with --pipeline=benchmark-only --target-hosts=HOST:PORT");
  r.pipeline = one_of("--pipeline", value, {"benchmark-only"});
}

void set_driver_threads(R& r, V& value) {
  const char* end = value.data() + value.size();
  const auto [read_to, error] = std::from_chars(value.data(), end, r.options.driver_threads);
  if (error != std::errc() || read_to != end || r.options.driver_threads == 0 ||
      r.options.driver_threads > 1024)
    wrong("--driver-threads", value, "a whole number from 1 to 1024 is needed");
}

void set_race_id(R& r, V& value) {
  if (!is_race_id(value)) wrong("--race-id", printable(value.substr(0, kLongestRaceId)), kRaceIdHint);
  r.options.race_id = value;
}

void set_user_tags(R& r, V& value) { r.options.user_tags = to_object("--user-tags", value); }

std::vector<Flag> what_to_race() {
  using enum FlagStatus;
  return {
      {"--track", works, kWhat, "NAME", "", "A bundled track; `pacenote list tracks` names them.",
       [](R& r, V& v) { r.options.track = v; }},
      {"--track-path", works, kWhat, "PATH", "",
       "A folder with a track.json, or the file itself, in place of --track.",
       [](R& r, V& v) { r.options.track_path = v; }},
      {"--track-repository", works, kWhat, "URL", "",
       "Take --track from a git repository: a URL, a path, or default for Rally's public tracks.",
       [](R& r, V& v) { r.options.repository.source = v; }},
      {"--track-revision", works, kWhat, "REVISION", "by the server's version",
       "Of the repository: a branch, tag or commit.", [](R& r, V& v) { r.options.repository.revision = v; }},
      {"--challenge", works, kWhat, "NAME", "the track's own", "Which of the track's challenges.",
       [](R& r, V& v) { r.options.challenge = v; }},
      {"--track-params", works, kWhat, "PARAMS", "",
       "Parameters of the track: JSON, a .json file, or a list k:v,k2:v2. Those named secret_* are not "
       "stored.",
       [](R& r, V& v) { r.options.track_params = to_object("--track-params", v); }},
      {"--ignore-unused-track-params", works, kWhat, "", "",
       "Only warn of parameters that the track does not know.",
       [](R& r, V&) { r.options.ignore_unused_track_params = true; }},
      {"--include-tasks", works, kWhat, "LIST", "",
       "Run only these tasks: NAME, type:TYPE or tag:TAG, by comma.",
       [](R& r, V& v) { r.options.include_tasks = csv_to_list("--include-tasks", v); }},
      {"--exclude-tasks", works, kWhat, "LIST", "", "Run all but these tasks.",
       [](R& r, V& v) { r.options.exclude_tasks = csv_to_list("--exclude-tasks", v); }},
      {"--test-mode", works, kWhat, "", "",
       "Few documents and iterations, to see whether a track runs at all.",
       [](R& r, V&) { r.options.test_mode = true; }},
      {"--enable-assertions", works, kMeasure, "", "",
       "Check what operations assert of their answers; the first that fails ends the race.",
       [](R& r, V&) { r.options.enable_assertions = true; }},
  };
}

std::vector<Flag> whom_to_race() {
  using enum FlagStatus;
  return {
      {"--target-hosts", works, kWhom, "HOSTS", "the sandbox",
       "HOST:PORT by comma, https:// and a path prefix allowed. Without this flag and --pipeline pacenote "
       "races "
       "against its own sandbox, whose times say nothing about Elasticsearch.",
       [](R& r, V& v) { r.target_hosts = v; }},
      {"--pipeline", works, kWhom, "NAME", "",
       "Only benchmark-only: a cluster that runs. Alone it means 127.0.0.1:9200.", set_pipeline},
      {"--client-options", works, kWhom, "OPTIONS", "timeout:60",
       "As PARAMS: timeout, use_ssl, verify_certs, ca_certs, client_cert, client_key, basic_auth_user, "
       "basic_auth_password, api_key, http_compress, max_retries, retry_on_status, retry_on_timeout, "
       "headers, opaque_id.",
       [](R& r, V& v) { r.client_options = v; }},
      {"--allow-destructive", works, kWhom, "", "",
       "Let the challenge delete what no race of this store has made; also PACENOTE_ALLOW_DESTRUCTIVE=1.",
       [](R& r, V&) { r.options.allow_destructive = true; }},
      {"--skip-rest-api-check", works, "", "", "", "Do not wait for the cluster's health before the race.",
       [](R& r, V&) { r.options.skip_rest_api_check = true; }},
      {"--kill-running-processes", ignored, kWhom, "", "",
       "Accepted and ignored: races may run side by side, so none needs to be killed.", nullptr},
  };
}

std::vector<Flag> how_to_measure() {
  using enum FlagStatus;
  return {
      {"--on-error", works, kMeasure, "WHAT", "continue",
       "continue (only a lost connection ends the race), continue-on-network (nothing does) or abort "
       "(the first failed request does).",
       set_on_error},
      {"--telemetry", works, kMeasure, "LIST", "",
       "Devices beside those always on; see `pacenote list telemetry`.",
       [](R& r, V& v) { r.options.telemetry = csv_to_list("--telemetry", v); }},
      {"--telemetry-params", works, kMeasure, "PARAMS", "", "Their parameters.",
       [](R& r, V& v) { r.options.telemetry_params = to_object("--telemetry-params", v); }},
      {"--user-tags", works, kMeasure, "PARAMS", "", "Tags by which the race is found again.", set_user_tags},
      {"--user-tag", works, "", "PARAMS", "", "As --user-tags.", set_user_tags},
      {"--race-id", works, kMeasure, "ID", "a fresh one", "The name of the race in the store.", set_race_id},
  };
}

std::vector<Flag> what_to_show() {
  using enum FlagStatus;
  return {
      {"--report-format", works, kShow, "FORMAT", "markdown", "Of the table: markdown, csv or json.",
       [](R& r, V& v) { r.options.report_format = v; }},
      {"--report-file", works, kShow, "FILE", "", "Write the table there, too.",
       [](R& r, V& v) { r.options.report_file = v; }},
      {"--report-numbers-align", works, kShow, "SIDE", "decimal", "right, center, left or decimal.",
       [](R& r, V& v) {
         r.options.report_numbers_align =
             one_of("--report-numbers-align", v, {"right", "center", "left", "decimal"});
       }},
      {"--show-in-report", works, kShow, "ROWS", "available", "available, all-percentiles or all.",
       [](R& r, V& v) {
         r.options.show_in_report = one_of("--show-in-report", v, {"available", "all-percentiles", "all"});
       }},
      {"--show-processing-time", works, kShow, "", "", "Rows of the processing time, too.",
       [](R& r, V&) { r.options.show_processing_time = true; }},
      {"--quiet", works, kShow, "", "", "Say nothing but errors; the table is still printed.",
       [](R& r, V&) { r.options.quiet = true; }},
      {"--no-quiet", works, "", "", "", "Undo --quiet.", [](R& r, V&) { r.options.quiet = false; }},
  };
}

std::vector<Flag> pacenotes_own() {
  using enum FlagStatus;
  return {
      {"--store", works, kOwn, "FILE", "$PACENOTE_STORE", "The file that keeps all races.",
       [](R& r, V& v) { r.options.store = v; }},
      {"--data-dir", works, kOwn, "DIR", "$PACENOTE_DATA", "Where corpora are kept.",
       [](R& r, V& v) { r.options.data_dir = v; }},
      {"--python", works, kOwn, "PATH", "$PACENOTE_PYTHON",
       "A python3 that has jinja2, for tracks with templates.", [](R& r, V& v) { r.options.python = v; }},
      {"--driver-threads", works, kOwn, "N", "", "Threads that make the load.", set_driver_threads},
      {"--offline", works, kOwn, "", "", "Talk to nobody but the target.",
       [](R& r, V&) { r.options.offline = true; }},
      {"--fail-on", works, kOwn, "EXPRESSION", "",
       "Exit with 1 where this holds after the race: \"error_rate>0\", \"p99 service_time>250ms\", "
       "\"search-*: rate_reached<95%\". May be given again.",
       [](R& r, V& v) {
         static_cast<void>(reporters::gate_from(v));
         r.options.fail_on.push_back(v);
       }},
      {"--junit-file", works, kOwn, "FILE", "", "Write tasks and gates there as JUnit XML.",
       [](R& r, V& v) { r.options.junit_file = v; }},
  };
}

std::vector<Flag> unsupported() {
  using enum FlagStatus;
  return {
      {"--distribution-version", refused, "", "X", "", kDrives, nullptr},
      {"--distribution-repository", refused, "", "X", "", kDrives, nullptr},
      {"--revision", refused, "", "X", "", kDrives, nullptr},
      {"--car", refused, "", "X", "", kDrives, nullptr},
      {"--car-params", refused, "", "X", "", kDrives, nullptr},
      {"--runtime-jdk", refused, "", "X", "", kDrives, nullptr},
      {"--elasticsearch-plugins", refused, "", "X", "", kDrives, nullptr},
      {"--plugin-params", refused, "", "X", "", kDrives, nullptr},
      {"--team-path", refused, "", "X", "", kDrives, nullptr},
      {"--team-repository", refused, "", "X", "", kDrives, nullptr},
      {"--team-revision", refused, "", "X", "", kDrives, nullptr},
      {"--cluster-name", refused, "", "X", "", kDrives, nullptr},
      {"--preserve-install", refused, "", "", "", kDrives, nullptr},
      {"--source-build-method", refused, "", "X", "", kDrives, nullptr},
      {"--configuration-name", refused, "", "X", "", "pacenote has no rally.ini; all settings are flags",
       nullptr},
      {"--load-driver-hosts", not_yet, "", "LIST", "localhost", "the load comes from this machine", nullptr},
      {"--multi-cluster", not_yet, "", "", "", "a race has one cluster", nullptr},
      {"--enable-driver-profiling", not_yet, "", "", "", "there is no profile to write", nullptr},
      {"--effective-start-date", not_yet, "", "DATE", "", "a race is stored under the time it ran at",
       nullptr},
  };
}

std::vector<Flag> all_flags() {
  std::vector<Flag> out;
  for (const auto& group :
       {what_to_race(), whom_to_race(), how_to_measure(), what_to_show(), pacenotes_own(), unsupported()})
    out.insert(out.end(), group.begin(), group.end());
  return out;
}

}  // namespace

const std::vector<Flag>& race_flags() {
  static const std::vector<Flag> flags = all_flags();
  return flags;
}

void refuse(const Flag& flag) {
  const bool later = flag.status == FlagStatus::not_yet;
  throw UserError(fmt::format("{} is not supported{}: {}", flag.name, later ? " yet" : "", flag.help),
                  flag.help == kDrives
                      ? "start the cluster yourself, then name it with --target-hosts=HOST:PORT"
                      : fmt::format("leave {} out", flag.name));
}

}  // namespace pacenote::cli
