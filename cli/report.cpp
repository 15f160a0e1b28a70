// The report of a stored race, byte for byte that of its end.
#include "cli/store_flags.hpp"
#include "cli/verb.hpp"
#include "reporters/race_report.hpp"

namespace pacenote::cli {
namespace {

struct StoredReportFlags {
  std::string store, race;
  ReportFlags report;
};

ExitCode run_report(const StoredReportFlags& flags) {
  const store::Store store = open_store(flags.store);
  const reporters::RacedSide raced = read_race(store, flags.race);
  show_report(race_table(raced.race, raced.results, flags.report.options().summary), flags.report,
              FileMode::overwrite);
  return ExitCode::ok;
}

std::function<ExitCode()> add_report(CLI::App& command) {
  // Shared: CLI11 writes into it while it parses, the returned function reads it afterwards.
  const auto flags = std::make_shared<StoredReportFlags>();
  command.add_option("race", flags->race, "Id of a race, or the beginning of one. Default: the latest race.")
      ->type_name("RACE");
  add_store_flag(command, flags->store);
  add_report_flags(command, flags->report, FileMode::overwrite);
  return [flags] { return run_report(*flags); };
}

const Registered<Verb> report_verb{"report", {"Show the report of a stored race.", add_report}};

}  // namespace
}  // namespace pacenote::cli
