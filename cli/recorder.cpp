#include "cli/recorder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/summarize.hpp"

namespace pacenote::cli {

Recorder::Recorder(const Challenge& challenge, const Context& context)
    : with_(context), calibration_(read_calibration(calibration_file())) {
  for (const Parallel& element : challenge.schedule) {
    for (const Task& task : element.tasks) {
      TaskResult result = summarize(task, std::span<const Sample>(), context.names);
      result.state = TaskState::not_run;
      results_.tasks.push_back(std::move(result));
    }
  }
}

void Recorder::step_begins(const std::vector<RunningTask>& tasks) {
  std::vector<std::string> task_names;
  for (const RunningTask& task : tasks) task_names.push_back(task.task->name);
  with_.telemetry.running(fmt::format("{}", fmt::join(task_names, ",")));
  std::vector<ShownTask> shown;
  for (const RunningTask& task : tasks) shown.push_back({task.task->name, task.progress});
  with_.console.step_begins(std::move(shown));
}

void Recorder::step_ends(const std::vector<RunningTask>& tasks, const std::vector<TaskEnd>& ends) {
  bool completed = true;
  for (const TaskEnd& end : ends) completed = completed && end.state == TaskState::complete;
  with_.console.step_ends(completed);
  with_.creations.note(tasks);
  with_.writer.post([this, tasks, ends](store::Store& store) {
    for (std::size_t i = 0; i < tasks.size(); ++i)
      summarize_task(store, *tasks[i].task, tasks[i].index, ends[i]);
    store.save_results(with_.race, results_);
  });
}

void Recorder::summarize_task(store::Store& store, const Task& task, TaskIndex index, const TaskEnd& end) {
  const SampleBlocks blocks = [&](const std::function<void(std::span<const Sample>)>& use) {
    store.each_samples(with_.race, index, with_.epoch, with_.names, use);
  };
  TaskResult result = summarize(task, blocks, with_.names);
  result.state = end.state;
  result.driver = end.driver;
  if (calibration_ && result.overall_throughput) {
    const double limit = calibration_->limit(result.throughput.unit);
    if (limit > 0) result.of_calibrated = *result.overall_throughput / limit;
  }
  results_.tasks[static_cast<std::size_t>(index)] = std::move(result);
}

void Recorder::finish() {
  with_.writer.post([this](store::Store& store) {
    results_.cluster = summarize_cluster(store.metrics(with_.race, with_.epoch));
    store.save_results(with_.race, results_);
  });
}

}  // namespace pacenote::cli
