// The race: one step after the other, on driver threads of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/allocation.hpp"
#include "core/cluster.hpp"
#include "core/executor.hpp"
#include "core/results.hpp"
#include "core/track.hpp"

namespace pacenote {

struct RaceSettings {
  OnError on_error = OnError::continue_;
  std::uint32_t driver_threads = 1;          ///< at least 1; no more are started than there are clients
  Duration grace = std::chrono::seconds(2);  ///< for requests under way when the user stops the race
};

/// A task of the running step, as the console sees it. Valid until the step has ended.
struct RunningTask {
  const Task* task;
  TaskIndex index;
  const TaskProgress* progress;
};

struct TaskEnd {
  TaskState state;
  DriverResult driver;
};

/// Told on the race's thread, between the steps: must be quick, since the cluster idles meanwhile.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  virtual void step_begins(const std::vector<RunningTask>& tasks) = 0;
  /// All of the step's samples have been handed to the sink. `ends` belongs to `tasks`, one by one.
  virtual void step_ends(const std::vector<RunningTask>& tasks, const std::vector<TaskEnd>& ends) = 0;
};

struct RaceEnd {
  StopReason reason = StopReason::none;  ///< none: all steps ran to their end
  std::string fatal;                     ///< with reason error: why
  std::vector<TaskState> tasks;          ///< by TaskIndex
  std::vector<bool> only_errors;         ///< by TaskIndex: had requests, and not one succeeded
};

/// What the race works on and reports to; all outlive the Race. Sink, names, notes and errors are called from
/// driver threads.
struct RaceContext {
  const Track& track;
  const Challenge& challenge;
  const Cluster& cluster;
  SampleSink& samples;
  Names& names;
  Notes& notes;
  ErrorLog& errors;
  StepObserver& observer;
};

class Race {
 public:
  /// UserError for any mistake in a task that can be found before the first request.
  Race(const RaceContext& context, const RaceSettings& settings);
  ~Race();
  /// Runs all steps; blocks. Once.
  RaceEnd run();
  /// No new requests from now on; what is under way has the grace period. Any thread.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pacenote
