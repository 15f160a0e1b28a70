#include "cli/html_input.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/race_groups.hpp"
#include "cli/store_flags.hpp"

namespace pacenote::cli {
namespace {

/// The first race against all others together.
reporters::Table comparison_of(const store::Store& store, const std::vector<reporters::RacedSide>& sides) {
  const reporters::Group baseline{sides.front().race.id, {sides.front()}};
  reporters::Group others{"the others", {sides.begin() + 1, sides.end()}};
  if (others.races.size() == 1) others.label = sides.back().race.id;
  reporters::Table table =
      reporters::groups_table({compare_groups(baseline, others, {{}, {}}, sample_times(store))}, {""});
  table.notes = reporters::groups_notes(baseline, others);
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

std::string html_of(const store::Store& store, const std::vector<std::string>& ids) {
  std::vector<reporters::RacedSide> sides;
  for (const std::string& id : ids.empty() ? std::vector<std::string>{""} : ids)
    sides.push_back(read_race(store, id));
  std::size_t tasks = 0;
  for (const reporters::RacedSide& side : sides)
    tasks += static_cast<std::size_t>(std::ranges::count_if(
        side.results.tasks, [](const TaskResult& task) { return task.include_in_reporting; }));
  std::vector<reporters::HtmlRace> races;
  for (const reporters::RacedSide& side : sides) races.push_back(html_race(store, side, tasks));
  if (sides.size() == 1) return html_report(races, nullptr);
  const reporters::Table comparison = comparison_of(store, sides);
  return html_report(races, &comparison);
}

}  // namespace pacenote::cli
