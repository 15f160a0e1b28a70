#include "cli/recorder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/summarize.hpp"

namespace pacenote::cli {

Recorder::Recorder(const Challenge& challenge, const std::string& race, Instant epoch, Names& names,
                   store::Writer& writer, Console& console, telemetry::Telemetry& telemetry)
    : race_(race), epoch_(epoch), names_(names), writer_(writer), console_(console), telemetry_(telemetry) {
  for (const Parallel& element : challenge.schedule) {
    for (const Task& task : element.tasks) {
      TaskResult result = summarize(task, {}, names);
      result.state = TaskState::not_run;
      results_.tasks.push_back(std::move(result));
    }
  }
}

void Recorder::step_begins(const std::vector<RunningTask>& tasks) {
  std::vector<std::string> task_names;
  for (const RunningTask& task : tasks) task_names.push_back(task.task->name);
  telemetry_.running(fmt::format("{}", fmt::join(task_names, ",")));
  std::vector<ShownTask> shown;
  for (const RunningTask& task : tasks) shown.push_back({task.task->name, task.progress});
  console_.step_begins(std::move(shown));
}

void Recorder::step_ends(const std::vector<RunningTask>& tasks, const std::vector<TaskState>& states) {
  bool completed = true;
  for (const TaskState state : states) completed = completed && state == TaskState::complete;
  console_.step_ends(completed);
  writer_.post([this, tasks, states](store::Store& store) {
    for (std::size_t i = 0; i < tasks.size(); ++i)
      summarize_task(store, *tasks[i].task, tasks[i].index, states[i]);
    store.save_results(race_, results_);
  });
}

void Recorder::summarize_task(store::Store& store, const Task& task, TaskIndex index, TaskState state) {
  const std::vector<Sample> samples = store.samples(race_, index, epoch_, names_);
  TaskResult result = summarize(task, samples, names_);
  result.state = state;
  results_.tasks[static_cast<std::size_t>(index)] = std::move(result);
}

void Recorder::finish() {
  writer_.post([this](store::Store& store) {
    results_.cluster = summarize_cluster(store.metrics(race_, epoch_));
    store.save_results(race_, results_);
  });
}

}  // namespace pacenote::cli
