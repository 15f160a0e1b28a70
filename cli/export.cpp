// A stored race, its samples, or a comparison as a file for other programs.
#include <fmt/format.h>

#include <filesystem>

#include "cli/output.hpp"
#include "cli/race_groups.hpp"
#include "cli/store_flags.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "reporters/metrics.hpp"
#include "reporters/race_report.hpp"
#include "reporters/races.hpp"
#include "reporters/rally.hpp"
#include "reporters/samples.hpp"
#include "reporters/task_figures.hpp"
#include "tracks/draft.hpp"

namespace pacenote::cli {
namespace {

struct ExportFlags {
  std::string store, race, what;
  GroupFlags of;
  bool raw = false;
  ReportFlags report;
};

void export_table(const reporters::Table& table, const ExportFlags& flags, Output& output) {
  reporters::ReportOptions options = flags.report.options();
  options.colours = false;
  options.raw = flags.raw;
  options.exact = true;
  const reporters::Written written = write(table, options);
  show_notes(written);
  output.write(written.text);
}

void export_samples(const store::Store& store, const reporters::RacedSide& raced, const ExportFlags& flags,
                    Output& output) {
  if (flags.report.format != "csv" && flags.report.format != "json") {
    throw UserError(fmt::format("samples cannot be exported as [{}]", flags.report.format),
                    "known: csv, json (one object a line)", ExitCode::usage);
  }
  const auto format =
      flags.report.format == "csv" ? reporters::SampleFormat::csv : reporters::SampleFormat::json;
  output.write(reporters::sample_header(format));
  const Instant epoch{};
  bool some = false;
  for (std::uint32_t i = 0; i < raced.results.tasks.size(); ++i) {
    Names names;
    store.each_samples(raced.race.id, TaskIndex{i}, epoch, names, [&](std::span<const Sample> block) {
      some = some || !block.empty();
      for (const Sample& sample : block)
        output.write(
            reporters::sample_line(sample, epoch, raced.results.tasks[i].task, names, format, flags.raw));
    });
  }
  if (!some) say("WARNING", fmt::format("race {} has no samples in the store", raced.race.id));
}

/// Rally's race.json, or its metric documents one a line.
void export_rally(const store::Store& store, const reporters::RacedSide& raced, const ExportFlags& flags,
                  Output& output) {
  if (raced.race.state != RaceState::finished)
    say("WARNING", fmt::format("race {} is {}; Rally's format has no place for that", raced.race.id,
                               to_string(raced.race.state)));
  if (flags.what == "race") {
    const Json document = reporters::rally_race(raced.race, raced.results);
    return output.write(fmt::format("{}\n", document.dump(1, ' ', false, Json::error_handler_t::replace)));
  }
  if (flags.what != "samples" && flags.what != "metrics")
    throw UserError(fmt::format("Rally's format has no [{}]", flags.what), "known: race, samples, metrics",
                    ExitCode::usage);
  const Instant epoch{};
  for (std::uint32_t i = 0; i < raced.results.tasks.size(); ++i) {
    Names names;
    reporters::write_rally_documents(raced.race, raced.results.tasks[i],
                                     task_samples(store, raced.race.id, TaskIndex{i}, names), epoch, names,
                                     [&](const std::string& lines) { output.write(lines); });
  }
  if (flags.what == "samples") return;
  for (const Metric& metric : store.metrics(raced.race.id, epoch))
    output.write(reporters::rally_document(raced.race, metric, epoch));
}

/// One race as a store of its own, which `import` takes.
ExitCode export_store(store::Store& from, const ExportFlags& flags) {
  if (flags.report.file.empty())
    throw UserError("--format=store needs a file", "write --output=FILE", ExitCode::usage);
  if (std::filesystem::exists(flags.report.file))  // it may be a store with races of its own
    throw UserError(fmt::format("{} is already there", flags.report.file), "name another --output");
  const std::string id = read_race(from, flags.race).race.id;
  const tracks::Draft draft(flags.report.file);
  try {
    store::Store(draft.path()).copy_race(from, id);
  } catch (const UserError& error) {
    throw tracks::cannot_be_written(flags.report.file, error.what());
  }
  draft.keep();
  return ExitCode::ok;
}

/// Two races as Rally compares them, or groups with a verdict.
reporters::Table comparison_of(const store::Store& store, const ExportFlags& flags) {
  if (compares_two(flags.of))
    return comparison_table(read_race(store, flags.of.baseline),
                            read_race(store, flags.of.contenders.front()),
                            {flags.report.processing_time, false});
  reporters::GroupsOptions options;
  for (const std::string& text : flags.of.primary) options.primary.push_back(reporters::primary_from(text));
  const GroupPairs what = groups_from(store, flags.of);
  return table_of(what, compared(what, options, sample_times(store)));
}

void export_race(const store::Store& store, const ExportFlags& flags, Output& output) {
  const reporters::RacedSide raced = read_race(store, flags.race);
  if (flags.report.format == "rally") {
    export_rally(store, raced, flags, output);
  } else if (flags.what == "metrics") {
    const Instant epoch{};
    export_table(reporters::metrics_table(store.metrics(raced.race.id, epoch), epoch), flags, output);
  } else if (flags.what == "figures") {
    export_table(reporters::task_figures(raced.results), flags, output);
  } else if (flags.what == "samples") {
    export_samples(store, raced, flags, output);
  } else if (flags.report.format == "json") {
    const Json document =
        flags.what == "race" ? reporters::race_document(raced.race, &raced.results) : to_json(raced.results);
    output.write(fmt::format("{}\n", document.dump(1, ' ', false, Json::error_handler_t::replace)));
  } else {
    export_table(race_table(raced.race, raced.results, flags.report.options().summary), flags, output);
  }
}

/// What others read by program is theirs by default.
std::string format_of(const ExportFlags& flags) {
  if (!flags.report.format.empty()) return flags.report.format;
  return flags.what == "samples" || flags.what == "metrics" ? "csv" : "markdown";
}

/// Whether a comparison is meant. UserError for flags of which one would be left out of account.
bool is_comparing(const ExportFlags& flags) {
  const GroupFlags& of = flags.of;
  const bool comparing = !of.baseline.empty() || !of.contenders.empty();
  const bool of_groups = of.step || of.groups || of.last > 0 || !of.primary.empty();
  if ((comparing || of_groups) && (of.baseline.empty() || of.contenders.empty() || !flags.race.empty()))
    throw UserError("export takes one race, or --baseline and --contender",
                    "for example --baseline=RACES --contender=RACES", ExitCode::usage);
  if (comparing && flags.what != "race")
    throw UserError(fmt::format("--what={} is of one race, not of a comparison", flags.what),
                    "leave out --what, or --baseline and --contender", ExitCode::usage);
  if (comparing && (flags.report.format == "store" || flags.report.format == "rally"))
    throw UserError(fmt::format("a comparison cannot be exported as [{}]", flags.report.format),
                    "known: markdown, csv, json", ExitCode::usage);
  return comparing;
}

ExitCode run_export(ExportFlags flags) {
  flags.report.format = format_of(flags);
  const bool comparing = is_comparing(flags);
  store::Store store = open_store(flags.store);
  if (flags.report.format == "store") return export_store(store, flags);
  Output output(flags.report.file, FileMode::overwrite);
  if (comparing) {
    export_table(comparison_of(store, flags), flags, output);
  } else {
    export_race(store, flags, output);
  }
  output.finish();
  return ExitCode::ok;
}

std::function<ExitCode()> add_export(CLI::App& command) {
  // Shared: CLI11 writes into it while it parses, the returned function reads it afterwards.
  const auto flags = std::make_shared<ExportFlags>();
  flags->what = "race";
  flags->report.format.clear();
  command.add_option("race", flags->race, "Id of a race, or the beginning of one. Default: the latest race.")
      ->type_name("RACE");
  add_group_flags(command, flags->of);
  command
      .add_option(
          "--what", flags->what,
          "race (its table; in JSON Rally's race.json with results), results (the same, in JSON the "
          "results of "
          "all tasks alone), figures (what stands beside Rally's), samples (csv, json or rally, one line a "
          "request) or metrics (what telemetry told; in Rally's format samples, too). Default: race.")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"race", "results", "figures", "samples", "metrics"}));
  command
      .add_option(
          "--format,--report-format", flags->report.format,
          "markdown, csv, json, rally (race.json or metric documents in Rally's fields) or store (the race "
          "as a file that `import` takes). Default: csv for samples and metrics, else markdown.")
      ->type_name("NAME");
  command
      .add_option("--output,--report-file", flags->report.file,
                  "A file instead of standard output; what it held is replaced.")
      ->type_name("FILE");
  command
      .add_flag("--show-processing-time", flags->report.processing_time, "Rows of the processing time, too.")
      ->disable_flag_override();
  command.add_flag("--raw", flags->raw, "csv: texts as they are, even those that a spreadsheet would run.")
      ->disable_flag_override();
  add_store_flag(command, flags->store);
  return [flags] { return run_export(*flags); };
}

const Registered<Verb> export_verb{
    "export", {"Write a stored race, its samples or a comparison to a file.", add_export}};

}  // namespace
}  // namespace pacenote::cli
