#include "reporters/race_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reporters/driver_notes.hpp"
#include "reporters/task_figures.hpp"

namespace pacenote::reporters {
namespace {

std::string state_of(const RaceRecord& race) {
  switch (race.state) {
    case RaceState::finished:
      return {};
    case RaceState::interrupted:
      return "the race was interrupted: its figures are those of what ran before";
    case RaceState::failed:
      return fmt::format("the race failed{}{}", race.failure.empty() ? "" : ": ", race.failure);
    case RaceState::running:
      break;
  }
  return "the race has not ended, or was cut off: its figures are those of what was stored";
}

}  // namespace

Written write(const Table& table, const ReportOptions& options) {
  const Format& format = Registry<Format>::get("report format", options.format);
  Written out{format.write(table, {options.numbers, options.colours, options.raw, options.exact}), {}, {}};
  if (!format.with_notes) {
    out.head = table.head;
    out.notes = table.notes;
  }
  return out;
}

Table race_table(const RaceRecord& race, const Results& results, const SummaryOptions& options) {
  Table table = summary(results, options);
  std::vector<std::string> notes = race.warnings;
  notes.insert(notes.end(), table.notes.begin(), table.notes.end());
  for (std::string& note : driver_notes(results)) notes.push_back(std::move(note));
  if (std::string state = state_of(race); !state.empty()) notes.push_back(std::move(state));
  if (race.cluster.sandbox) {
    notes.push_back("raced on pacenote's sandbox: its times say nothing about Elasticsearch");
  }
  table.notes.clear();
  for (std::string& note : notes) {
    if (std::find(table.notes.begin(), table.notes.end(), note) == table.notes.end())
      table.notes.push_back(note);
  }
  if (Table figures = task_figures(results); !figures.rows.empty()) table.more.push_back(std::move(figures));
  return table;
}

std::string race_report(const RaceRecord& race, const Results& results, const ReportOptions& options) {
  return write(race_table(race, results, options.summary), options).text;
}

Table comparison_table(const RacedSide& baseline, const RacedSide& contender,
                       const ComparisonOptions& options) {
  Table table = comparison(baseline.results, contender.results, options);
  table.notes = comparison_notes(baseline, contender);
  return table;
}

}  // namespace pacenote::reporters
