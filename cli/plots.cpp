#include "cli/plots.hpp"

#include <cstdio>

#include "cli/terminal.hpp"
#include "reporters/terminal_plots.hpp"

namespace pacenote::cli {

void show_plots(const store::Store& store, const std::string& race, const Results& results,
                const ReportFlags& flags) {
  const int fd = shows_utf8(1) ? 1 : 2;
  if (flags.format != "markdown" || !shows_utf8(fd)) return;
  const std::size_t width = terminal_width(fd).value_or(80);
  std::vector<reporters::TaskSeries> series;
  std::size_t left_out = 0;
  try {
    for (std::uint32_t i = 0; i < results.tasks.size(); ++i) {
      const TaskResult& task = results.tasks[i];
      if (!task.include_in_reporting || task.samples < reporters::kFewestPlotted) continue;
      if (series.size() == reporters::kMostPlotted) {
        ++left_out;
        continue;
      }
      Names names;
      series.push_back(reporters::task_series(task.task, task.throughput.unit,
                                              task_samples(store, race, TaskIndex{i}, names), Instant{},
                                              reporters::plot_columns(width)));
    }
  } catch (const UserError&) {
    return;  // what is wrong with the store was said before
  }
  std::FILE* const out = fd == 1 ? stdout : stderr;
  std::fputs(reporters::terminal_plots(series, left_out, width).c_str(), out);
  std::fflush(out);
}

}  // namespace pacenote::cli
