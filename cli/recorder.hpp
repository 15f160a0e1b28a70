// Between two steps: tells the console and telemetry, and has the finished tasks' figures stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/creations.hpp"
#include "core/calibration.hpp"
#include "core/names.hpp"
#include "core/race.hpp"
#include "core/results.hpp"
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
  void step_begins(const std::vector<RunningTask>& tasks) override;
  void step_ends(const std::vector<RunningTask>& tasks, const std::vector<TaskEnd>& ends) override;
  /// Adds the cluster-wide figures from the metrics stored so far, on the writer's thread.
  void finish();
  /// Once the writer is closed.
  const Results& results() const { return results_; }

 private:
  void summarize_task(store::Store& store, const Task& task, TaskIndex index, const TaskEnd& end);

  const Context with_;
  const std::optional<Calibration> calibration_;
  Results results_;  // the writer's thread alone, until the writer is closed
};

}  // namespace pacenote::cli
