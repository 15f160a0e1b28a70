#include "cli/recorder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"

namespace pacenote::cli {
namespace {

constexpr Duration kSaveEvery = std::chrono::milliseconds(500);

}  // namespace

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

void Recorder::begin() {
  with_.writer.post([this](store::Store& store) { store.save_results(with_.race, results_); });
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
  std::vector<Ended> now_ended;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    now_ended.push_back({tasks[i].task, tasks[i].index, ends[i]});
  ended_.insert(ended_.end(), now_ended.begin(), now_ended.end());
  ++posted_;
  with_.writer.post([this, now_ended](store::Store& store) {
    for (const Ended& one : now_ended) summarize_task(one, stored(store, one.index));
    // All results are one row: with hundreds of short tasks it is not written after each.
    const Instant now = std::chrono::steady_clock::now();
    if (posted_ == 1 || now - saved_ > kSaveEvery) {
      store.save_results(with_.race, results_);
      saved_ = now;
    }
    --posted_;
  });
}

SampleBlocks Recorder::stored(const store::Store& store, TaskIndex task) const {
  return [this, &store, task](const std::function<void(std::span<const Sample>)>& use) {
    store.each_samples(with_.race, task, with_.epoch, with_.names, use);
  };
}

void Recorder::summarize_task(const Ended& ended, const SampleBlocks& blocks) {
  TaskResult result = summarize(*ended.task, blocks, with_.names);
  result.state = ended.end.state;
  result.driver = ended.end.driver;
  if (calibration_ && result.overall_throughput) {
    const double limit = calibration_->limit(result.throughput.unit);
    if (limit > 0) result.of_calibrated = *result.overall_throughput / limit;
  }
  results_.tasks[static_cast<std::size_t>(ended.index)] = std::move(result);
}

void Recorder::rescue(const store::Store& store, const std::vector<Sample>& unstored) {
  for (const Ended& one : ended_) {
    std::vector<Sample> waiting;
    for (const Sample& sample : unstored)
      if (sample.task == one.index) waiting.push_back(sample);
    const SampleBlocks blocks = [&](const std::function<void(std::span<const Sample>)>& use) {
      try {
        stored(store, one.index)(use);
      } catch (const UserError&) {
        // Said already: the store cannot even be read.
      }
      use(waiting);
    };
    summarize_task(one, blocks);
  }
}

void Recorder::finish() {
  with_.writer.post([this](store::Store& store) {
    results_.cluster = summarize_cluster(store.metrics(with_.race, with_.epoch));
    store.save_results(with_.race, results_);
  });
}

}  // namespace pacenote::cli
