// Between two steps: tells the console and telemetry, and has the finished tasks' figures stored.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/creations.hpp"
#include "core/calibration.hpp"
#include "core/names.hpp"
#include "core/race.hpp"
#include "core/results.hpp"
#include "core/summarize.hpp"
#include "store/writer.hpp"
#include "telemetry/telemetry.hpp"

namespace pacenote::cli {

class Recorder final : public StepObserver {
 public:
  /// What it reads from and tells; all outlive the recorder, and the writer is closed before it goes.
  struct Context {
    const std::string& race;  ///< its id
    Instant epoch;            ///< of the race: zero of all stored times
    Names& names;
    store::Writer& writer;
    Console& console;
    telemetry::Telemetry& telemetry;
    Creations& creations;
  };
  Recorder(const Challenge& challenge, const Context& context);
  /// Before the first step: a race that is killed in it has its tasks in the store.
  void begin();
  void step_begins(const std::vector<RunningTask>& tasks) override;
  void step_ends(const std::vector<RunningTask>& tasks, const std::vector<TaskEnd>& ends) override;
  /// Adds the cluster-wide figures from the metrics stored so far, on the writer's thread.
  void finish();
  /// For a writer that could not store all: the results again, with what it still holds.
  void rescue(const store::Store& store, const std::vector<Sample>& unstored);
  /// Once the writer is closed.
  const Results& results() const { return results_; }

 private:
  /// A task that has run, and how it ended.
  struct Ended {
    const Task* task;
    TaskIndex index;
    TaskEnd end;
  };
  void summarize_task(const Ended& ended, const SampleBlocks& blocks);
  SampleBlocks stored(const store::Store& store, TaskIndex task) const;

  const Context with_;
  const std::optional<Calibration> calibration_;
  std::vector<Ended> ended_;             // the race's thread
  std::atomic<std::size_t> posted_ = 0;  // steps whose figures wait for the writer
  Instant saved_{};                      // the writer's thread: when results were last saved
  Results results_;                      // the writer's thread alone, until the writer is closed
};

}  // namespace pacenote::cli
