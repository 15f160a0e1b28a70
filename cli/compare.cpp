// Stored races side by side: two as Rally shows them (behaviour E.2), or groups with a verdict.
#include <fmt/format.h>

#include <cstdio>

#include "cli/gates.hpp"
#include "cli/race_groups.hpp"
#include "cli/store_flags.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "core/text.hpp"
#include "reporters/race_report.hpp"

namespace pacenote::cli {
namespace {

struct CompareFlags {
  std::string store, junit_file;
  GroupFlags of;
  std::vector<std::string> fail_on;
  ReportFlags report;
};

/// Gates that ask for significance say what carries a verdict, as --primary does.
reporters::GroupsOptions options_of(const CompareFlags& flags, const std::vector<reporters::Gate>& gates) {
  reporters::GroupsOptions out;
  for (const std::string& text : flags.of.primary) out.primary.push_back(reporters::primary_from(text));
  for (const reporters::Gate& gate : gates) {
    (gate.significant ? out.primary : out.further).push_back({gate.tasks, gate.quantity});
  }
  return out;
}

ExitCode conclude(const CompareFlags& flags, const std::vector<reporters::GateResult>& results) {
  if (!flags.junit_file.empty())
    write_file(flags.junit_file, reporters::junit_xml(results), FileMode::overwrite);
  return show_gates(results) ? ExitCode::gate_failed : ExitCode::ok;
}

ExitCode compare_two(const CompareFlags& flags, const store::Store& store) {
  const auto samples = sample_times(store);
  const std::vector<reporters::Gate> gates = gates_from(flags.fail_on);
  const reporters::GroupsOptions options = options_of(flags, gates);
  const reporters::RacedSide baseline = read_race(store, flags.of.baseline);
  const reporters::RacedSide contender = read_race(store, flags.of.contenders.front());
  const auto rows =
      gates.empty() ? std::vector<reporters::GroupRow>()
                    : compare_groups({"baseline", {baseline}}, {"contender", {contender}}, options, samples);
  show_head(reporters::comparison_head(baseline.race, contender.race));
  reporters::Table table = comparison_table(baseline, contender, {flags.report.processing_time, false});
  if (Registry<reporters::Format>::get("report format", flags.report.format).with_notes)
    for (const std::string& note : table.notes) say("WARNING", note);  // before any figure
  for (std::string& note : reporters::single_race_notes(baseline, contender, samples))
    table.notes.push_back(std::move(note));
  show_report(table, flags.report, FileMode::append);
  return conclude(flags, check_gates(gates, rows));
}

ExitCode compare_groups(const CompareFlags& flags, const store::Store& store) {
  const std::vector<reporters::Gate> gates = gates_from(flags.fail_on);
  const GroupPairs what = groups_from(store, flags.of);
  const Compared found = compared(what, options_of(flags, gates), sample_times(store));
  std::vector<reporters::GateResult> results;
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    for (reporters::GateResult& result : check_gates(gates, found.rows[i])) {
      if (found.rows.size() > 1) result.groups = found.names[i];
      results.push_back(std::move(result));
    }
  }
  ReportFlags report = flags.report;
  report.exact = true;
  show_report(table_of(what, found), report, FileMode::append);
  return conclude(flags, results);
}

ExitCode run_compare(const CompareFlags& flags) {
  static_cast<void>(
      gates_from(flags.fail_on));  // what is wrong with the flags is said before the store is read
  static_cast<void>(flags.report.options());
  const bool two = compares_two(flags.of);
  const store::Store store = open_store(flags.store);
  return two ? compare_two(flags, store) : compare_groups(flags, store);
}

std::function<ExitCode()> add_compare(CLI::App& command) {
  // Shared: CLI11 writes into it while it parses, the returned function reads it afterwards.
  const auto flags = std::make_shared<CompareFlags>();
  add_group_flags(command, flags->of);
  for (const char* name : {"--baseline", "--contender"}) command.get_option(name)->required();
  command
      .add_option(
          "--fail-on", flags->fail_on,
          "Exit with 1 where this holds: \"throughput drop>5% significant\", \"q*: p99 latency>250ms\". May "
          "be given again.")
      ->type_name("EXPRESSION")
      ->take_all();
  command.add_option("--junit-file", flags->junit_file, "Write the gates there as JUnit XML.")
      ->type_name("FILE");
  add_store_flag(command, flags->store);
  add_report_flags(command, flags->report, FileMode::append);
  return [flags] { return run_compare(*flags); };
}

const Registered<Verb> compare_verb{"compare", {"Compare stored races or groups of them.", add_compare}};

}  // namespace
}  // namespace pacenote::cli
