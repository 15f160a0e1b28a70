#include "core/race.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "core/error.hpp"
#include "core/retry.hpp"
#include "core/worker.hpp"

namespace pacenote {

struct Race::Impl {
  Impl(const RaceContext& c, const RaceSettings& s) : context(c), settings(s), steps(allocate(c.challenge)) {}

  void check() const;
  void run_step(const Step& step, RaceEnd& end);
  void start_workers(StepRun& run);
  void wait_for_clients(StepRun& run);
  bool stopped_by_user() {
    const std::lock_guard lock(mutex);
    return user_stop;
  }
  void wake_all() {
    for (auto& worker : workers) worker->wake();
  }

  const RaceContext& context;
  RaceSettings settings;
  std::vector<Step> steps;
  std::vector<std::unique_ptr<Worker>> workers;
  std::mutex mutex;
  std::condition_variable changed;
  std::uint32_t running = 0;  // clients, under mutex
  Stop* step_stop = nullptr;  // under mutex
  bool user_stop = false;     // under mutex
};

/// Makes each task's parts once and throws them away, so that a mistake is found before anything is sent.
void Race::Impl::check() const {
  for (const Parallel& element : context.challenge.schedule) {
    for (const Task& task : element.tasks) {
      const OperationType& type = Registry<OperationType>::get("operation type", task.operation.type);
      make_schedule(task, 0);
      make_runner(task.operation);
      type.params(task.operation, context.track, Share{0, 0, task.clients});
    }
  }
}

Race::Race(const RaceContext& context, const RaceSettings& settings)
    : impl_(std::make_unique<Impl>(context, settings)) {
  impl_->check();
  const std::uint32_t clients = client_count(context.challenge);
  for (const auto& [first, last] : split_clients(clients, std::max(1u, settings.driver_threads)))
    impl_->workers.push_back(std::make_unique<Worker>(first, last, context.cluster, context.samples,
                                                      context.names, context.notes, context.errors));
}

Race::~Race() = default;

void Race::stop() {
  const std::lock_guard lock(impl_->mutex);
  impl_->user_stop = true;
  if (impl_->step_stop != nullptr) impl_->step_stop->request(StopReason::user);
  impl_->wake_all();
  impl_->changed.notify_all();
}

void Race::Impl::start_workers(StepRun& run) {
  // Counted before the first client can end, corrected afterwards: a fast client must not reach zero too
  // early.
  {
    const std::lock_guard lock(mutex);
    running = 1;
  }
  for (auto& worker : workers) {
    std::uint32_t started = 0;
    try {
      started = worker->start(run, context.track);
    } catch (
        const UserError& mistake) {  // clients of other workers already run: end the step, not the thread
      run.stop.fail(mistake.what());
    }
    const std::lock_guard lock(mutex);
    running += started;
  }
  const std::lock_guard lock(mutex);
  --running;
}

void Race::Impl::wait_for_clients(StepRun& run) {
  std::unique_lock lock(mutex);
  const auto none_left = [this] { return running == 0; };
  const auto must_end = [&run] {
    const StopReason reason = run.stop.reason();
    return reason == StopReason::user || reason == StopReason::error;
  };
  changed.wait(lock, [&] { return none_left() || must_end(); });
  if (none_left()) return;
  lock.unlock();
  wake_all();
  lock.lock();
  if (changed.wait_for(lock, settings.grace, none_left)) return;
  for (auto& worker : workers) worker->interrupt();
  changed.wait(lock, none_left);
}

namespace {

std::vector<RunningTask> running_tasks(const Step& step, const StepRun& run) {
  std::vector<RunningTask> tasks;
  for (std::size_t i = 0; i < step.tasks.size(); ++i) {
    const TaskIndex index{static_cast<std::uint32_t>(step.first_task) + static_cast<std::uint32_t>(i)};
    tasks.push_back({step.tasks[i], index, run.progress[i].get()});
  }
  return tasks;
}

double share(Duration part, Duration whole) {
  return whole <= Duration::zero() ? 0 : seconds(part) / seconds(whole);
}

double milliseconds(Duration d) { return static_cast<double>(d.count()) / 1e6; }

DriverResult driver_result(const StepRun& run, std::size_t position) {
  DriverResult out;
  Duration wall{};
  for (const ThreadCost& thread : run.threads) {
    out.cpu_share = std::max(out.cpu_share, share(thread.cpu, thread.wall));
    out.stalled_share = std::max(out.stalled_share, std::min(1.0, share(thread.stalled, thread.wall)));
    wall = std::max(wall, thread.wall);
  }
  const TaskCost& cost = run.costs[position];
  const Duration all_clients = wall * run.step.tasks[position]->clients;
  out.parameters_share = share(cost.parameters, all_clients);
  out.connecting_share = share(cost.connecting, all_clients);
  if (cost.late.count() == 0) return out;
  out.late_p50_ms = milliseconds(cost.late.percentile(50));
  out.late_p99_ms = milliseconds(cost.late.percentile(99));
  out.late_max_ms = milliseconds(cost.late.max());
  return out;
}

TaskState state_of(const RunningTask& task, StopReason reason) {
  const bool all_done = task.progress->clients_done == task.task->clients;
  const bool cut = reason == StopReason::user || reason == StopReason::error;
  if (!cut || all_done) return TaskState::complete;
  return TaskState::incomplete;
}

}  // namespace

void Race::Impl::run_step(const Step& step, RaceEnd& end) {
  Stop stop;
  StepRun run{step, stop, {}, settings.on_error, {}, {}, {}, {}, {}};
  for (std::size_t i = 0; i < step.tasks.size(); ++i)
    run.progress.push_back(std::make_unique<TaskProgress>());
  run.costs.resize(step.tasks.size());
  run.wake_all = [this] {
    const std::lock_guard lock(mutex);  // the race's thread may sleep in wait_for_clients
    wake_all();
    changed.notify_all();
  };
  run.client_ended = [this] {
    const std::lock_guard lock(mutex);
    --running;
    changed.notify_all();
  };
  {
    const std::lock_guard lock(mutex);
    step_stop = &stop;
    if (user_stop) stop.request(StopReason::user);
  }
  const std::vector<RunningTask> tasks = running_tasks(step, run);
  context.observer.step_begins(tasks);
  start_workers(run);
  wait_for_clients(run);
  {
    const std::lock_guard lock(mutex);
    step_stop = nullptr;
  }
  std::vector<TaskEnd> ends;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const RunningTask& task = tasks[i];
    const auto index = static_cast<std::size_t>(task.index);
    ends.push_back({state_of(task, stop.reason()), driver_result(run, i)});
    end.tasks[index] = ends.back().state;
    end.only_errors[index] = task.progress->requests != 0 && task.progress->failed == task.progress->requests;
  }
  for (auto& worker : workers) worker->clear();
  context.observer.step_ends(tasks, ends);
  if (stop.reason() == StopReason::user || stop.reason() == StopReason::error) end.reason = stop.reason();
  end.fatal = stop.why();
}

RaceEnd Race::run() {
  RaceEnd end;
  std::size_t tasks = 0;
  for (const Step& step : impl_->steps) tasks += step.tasks.size();
  end.tasks.assign(tasks, TaskState::not_run);
  end.only_errors.assign(tasks, false);
  for (const Step& step : impl_->steps) {
    if (impl_->stopped_by_user()) end.reason = StopReason::user;
    if (end.reason != StopReason::none) break;
    impl_->run_step(step, end);
  }
  return end;
}

}  // namespace pacenote
