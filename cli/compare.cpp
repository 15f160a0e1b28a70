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
  std::string store, baseline, junit_file;
  std::vector<std::string> contenders, primary, fail_on;
  std::size_t last = 0;
  bool step = false, groups = false;
  ReportFlags report;
};

/// What to compare with what, and by which metrics.
struct Comparisons {
  std::vector<reporters::Group> groups;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::vector<reporters::Gate> gates;
  reporters::GroupsOptions options;
};

void show_head(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::fputs(fmt::format("{}\n", printable(line)).c_str(), stderr);
}

/// Gates that ask for significance say what carries a verdict, as --primary does.
reporters::GroupsOptions options_of(const CompareFlags& flags, const std::vector<reporters::Gate>& gates) {
  reporters::GroupsOptions out;
  for (const std::string& text : flags.primary) out.primary.push_back(reporters::primary_from(text));
  for (const reporters::Gate& gate : gates) {
    (gate.significant ? out.primary : out.further).push_back({gate.tasks, gate.quantity});
  }
  return out;
}

Comparisons comparisons_of(const CompareFlags& flags, const store::Store& store) {
  Comparisons out;
  out.gates = gates_from(flags.fail_on);
  out.options = options_of(flags, out.gates);
  out.groups.push_back(group_from(store, flags.baseline, flags.last));
  for (const std::string& contender : flags.contenders) {
    out.groups.push_back(group_from(store, contender, flags.last));
    const std::size_t i = out.groups.size() - 1;
    out.pairs.emplace_back(0, i);
    if (flags.step && i > 1) out.pairs.emplace_back(i - 1, i);
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
  const reporters::RacedSide baseline = read_race(store, flags.baseline);
  const reporters::RacedSide contender = read_race(store, flags.contenders.front());
  show_head(reporters::comparison_head(baseline.race, contender.race));
  reporters::Table table = comparison_table(baseline, contender, {flags.report.processing_time, false});
  for (const std::string& note : table.notes) say("WARNING", note);  // before any figure
  for (std::string& note : reporters::single_race_notes(baseline, contender, samples))
    table.notes.push_back(std::move(note));
  show_report(table, flags.report, FileMode::append);
  const auto rows =
      gates.empty() ? std::vector<reporters::GroupRow>()
                    : compare_groups({"baseline", {baseline}}, {"contender", {contender}}, options, samples);
  return conclude(flags, check_gates(gates, rows));
}

ExitCode compare_groups(const CompareFlags& flags, const store::Store& store) {
  const auto samples = sample_times(store);
  const Comparisons what = comparisons_of(flags, store);
  check_disjoint(what.groups);
  const Compared found = compared(what.groups, what.pairs, what.options, samples);
  std::vector<reporters::GateResult> gates;
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    for (reporters::GateResult& result : check_gates(what.gates, found.rows[i])) {
      if (found.rows.size() > 1) result.groups = found.names[i];
      gates.push_back(std::move(result));
    }
  }
  reporters::Table table = groups_table(found.rows, found.names);
  table.head = reporters::groups_head(what.groups);
  for (const std::string& note : found.notes) table.head.push_back(fmt::format("[WARNING] {}", note));
  ReportFlags report = flags.report;
  report.exact = true;
  show_report(table, report, FileMode::append);
  return conclude(flags, gates);
}

ExitCode run_compare(const CompareFlags& flags) {
  static_cast<void>(
      gates_from(flags.fail_on));  // what is wrong with the flags is said before the store is read
  static_cast<void>(flags.report.options());
  const store::Store store = open_store(flags.store);
  const bool two = !flags.groups && flags.contenders.size() == 1 && is_single(flags.baseline) &&
                   is_single(flags.contenders.front());
  return two ? compare_two(flags, store) : compare_groups(flags, store);
}

void add_group_flags(CLI::App& command, CompareFlags& flags) {
  command
      .add_option("--baseline", flags.baseline,
                  "The race to compare with: its id or the beginning of one. Or a group: ids by comma, "
                  "tag:KEY=VALUE, last:N or last:M-N (newest finished races).")
      ->required()
      ->type_name("RACES");
  command
      .add_option("--contender", flags.contenders,
                  "The race or group that is compared. Given again: each against the baseline.")
      ->required()
      ->type_name("RACES")
      ->take_all();
  command.add_option("--last", flags.last, "Of races with a tag only the newest so many.")
      ->check(CLI::Range(1, 1'000'000'000))
      ->type_name("N");
  command.add_flag("--step", flags.step, "Each contender against the one before, too.")
      ->disable_flag_override();
  command.add_flag("--groups", flags.groups, "Compare as groups even if each is a single race.")
      ->disable_flag_override();
  command
      .add_option(
          "--primary", flags.primary,
          "A metric that carries the verdict, as \"METRIC\" or \"TASKS: METRIC\": throughput, error_rate, "
          "p99 latency, … At most ten in all. Default: throughput, p99 and p50 latency of the first tasks.")
      ->type_name("METRIC")
      ->take_all();
}

std::function<ExitCode()> add_compare(CLI::App& command) {
  // Shared: CLI11 writes into it while it parses, the returned function reads it afterwards.
  const auto flags = std::make_shared<CompareFlags>();
  add_group_flags(command, *flags);
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
