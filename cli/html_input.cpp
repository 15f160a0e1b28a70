#include "cli/html_input.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/race_groups.hpp"
#include "cli/store_flags.hpp"

namespace pacenote::cli {
namespace {

/// The first group against each of the others.
reporters::Table comparison_of(const store::Store& store, const std::vector<reporters::Group>& groups) {
  GroupPairs what{groups, {}};
  for (std::size_t i = 1; i < groups.size(); ++i) what.pairs.emplace_back(0, i);
  reporters::Table table = table_of(what, compared(what, {{}, {}}, sample_times(store)));
  table.title = fmt::format("{} (baseline) and {}", groups[0].label,
                            groups.size() == 2 ? groups[1].label : "each of the others");
  return table;
}

}  // namespace

reporters::HtmlRace html_race(const store::Store& store, reporters::RacedSide side, std::size_t tasks) {
  const std::size_t points = reporters::html_points(tasks);
  reporters::HtmlRace out;
  const Instant epoch{};
  for (std::uint32_t i = 0; i < side.results.tasks.size(); ++i) {
    const TaskResult& task = side.results.tasks[i];
    if (task.state == TaskState::not_run || !task.include_in_reporting) continue;
    Names names;
    out.tasks.push_back(reporters::task_series(task.task, task.throughput.unit,
                                               task_samples(store, side.race.id, TaskIndex{i}, names), epoch,
                                               points));
  }
  out.metrics = reporters::metric_series(store.metrics(side.race.id, epoch), epoch, 500);
  out.side = std::move(side);
  return out;
}

std::string html_of(const store::Store& store, const std::vector<std::string>& texts) {
  std::vector<reporters::Group> groups;
  for (const std::string& text : texts) groups.push_back(group_from(store, text, 0));
  if (texts.empty()) groups.push_back({"", {read_race(store, "")}});
  check_disjoint(groups);
  std::size_t tasks = 0;
  for (const reporters::Group& group : groups)
    for (const reporters::RacedSide& side : group.races)
      tasks += static_cast<std::size_t>(std::ranges::count_if(
          side.results.tasks, [](const TaskResult& task) { return task.include_in_reporting; }));
  std::vector<reporters::HtmlRace> races;
  for (const reporters::Group& group : groups)
    for (const reporters::RacedSide& side : group.races) races.push_back(html_race(store, side, tasks));
  if (groups.size() == 1) return html_report(races, nullptr);
  const reporters::Table comparison = comparison_of(store, groups);
  return html_report(races, &comparison);
}

}  // namespace pacenote::cli
