// Two stored races side by side (behaviour E.2).
#include <fmt/format.h>

#include <cstdio>

#include "cli/store_flags.hpp"
#include "cli/verb.hpp"
#include "reporters/race_report.hpp"

namespace pacenote::cli {
namespace {

struct CompareFlags {
  std::string store, baseline, contender;
  ReportFlags report;
};

ExitCode run_compare(const CompareFlags& flags) {
  const store::Store store = open_store(flags.store);
  const reporters::RacedSide baseline = read_race(store, flags.baseline);
  const reporters::RacedSide contender = read_race(store, flags.contender);
  for (const std::string& line : reporters::comparison_head(baseline.race, contender.race)) {
    std::fputs(fmt::format("{}\n", line).c_str(), stderr);
  }
  show_report(comparison_table(baseline, contender, {flags.report.processing_time, false}), flags.report,
              FileMode::append);
  return ExitCode::ok;
}

std::function<ExitCode()> add_compare(CLI::App& command) {
  // Shared: CLI11 writes into it while it parses, the returned function reads it afterwards.
  const auto flags = std::make_shared<CompareFlags>();
  const auto race = [&](const std::string& name, std::string& id, const std::string& help) {
    command.add_option(name, id, help)->required()->type_name("RACE");
  };
  race("--baseline", flags->baseline, "Id of the race to compare with, or the beginning of one.");
  race("--contender", flags->contender, "Id of the race that is compared, or the beginning of one.");
  add_store_flag(command, flags->store);
  add_report_flags(command, flags->report, FileMode::append);
  return [flags] { return run_compare(*flags); };
}

const Registered<Verb> compare_verb{"compare", {"Compare two stored races.", add_compare}};

}  // namespace
}  // namespace pacenote::cli
