// The report of a stored race, byte for byte that of its end; as HTML also of several.
#include "cli/html_input.hpp"
#include "cli/plots.hpp"
#include "cli/store_flags.hpp"
#include "cli/verb.hpp"
#include "reporters/race_report.hpp"

namespace pacenote::cli {
namespace {

struct StoredReportFlags {
  std::string store;
  std::vector<std::string> races;
  ReportFlags report;
};

ExitCode run_report(const StoredReportFlags& flags) {
  const store::Store store = open_store(flags.store);
  if (flags.report.format == "html") {
    const std::string text = html_of(store, flags.races);
    if (flags.report.file.empty())
      print(text);
    else
      write_file(flags.report.file, text, FileMode::overwrite);
    return ExitCode::ok;
  }
  if (flags.races.size() > 1)
    throw UserError("only --report-format=html shows several races in one report",
                    "`pacenote compare` sets them side by side", ExitCode::usage);
  const reporters::RacedSide raced = read_race(store, flags.races.empty() ? "" : flags.races.front());
  show_report(race_table(raced.race, raced.results, flags.report.options().summary), flags.report,
              FileMode::overwrite);
  show_plots(store, raced.race.id, raced.results, flags.report);
  return ExitCode::ok;
}

std::function<ExitCode()> add_report(CLI::App& command) {
  // Shared: CLI11 writes into it while it parses, the returned function reads it afterwards.
  const auto flags = std::make_shared<StoredReportFlags>();
  command
      .add_option(
          "race", flags->races,
          "Id of a race, or the beginning of one. Default: the latest race. With --report-format=html "
          "several, or groups as in `compare`: the first is the baseline.")
      ->type_name("RACE");
  add_store_flag(command, flags->store);
  add_report_flags(command, flags->report, FileMode::overwrite);
  command.get_option("--report-format")
      ->description(
          "One of those that `list formats` shows, or html: charts and tables in one file. Default: "
          "markdown.");
  return [flags] { return run_report(*flags); };
}

const Registered<Verb> report_verb{"report", {"Show the report of a stored race.", add_report}};

}  // namespace
}  // namespace pacenote::cli
