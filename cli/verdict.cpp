#include "cli/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/signals.hpp"
#include "reporters/driver_notes.hpp"

namespace pacenote::cli {

ExitCode tell(const Verdict& verdict, Console& console) {
  const auto took = std::lround(verdict.seconds);
  const bool stored = verdict.kept.error.empty();
  if (verdict.signal != 0) {
    console.info(fmt::format("Aborted race after {} seconds; {}.", took,
                             stored ? "what was measured is stored" : "not all is stored"));
    return exit_code(verdict.signal);
  }
  const bool failed = verdict.end.reason == StopReason::error;
  if (failed) console.error(fmt::format("Cannot race. {}", verdict.end.fatal));
  if (!stored) console.error(fmt::format("Not all of the race is stored: {}", verdict.kept.error));
  if (failed || !stored) {
    console.info(fmt::format("FAILURE (took {} seconds)", took));
    return ExitCode::failed;
  }
  const auto hopeless = std::count(verdict.end.only_errors.begin(), verdict.end.only_errors.end(), true);
  if (hopeless != 0) {
    console.info(fmt::format("FINISHED, but {} task{} had only errors (took {} seconds)", hopeless,
                             hopeless == 1 ? "" : "s", took));
    return ExitCode::gate_failed;
  }
  if (!verdict.gates_passed) {
    console.info(fmt::format("FINISHED, but a gate failed (took {} seconds)", took));
    return ExitCode::gate_failed;
  }
  console.info(fmt::format("SUCCESS (took {} seconds)", took));
  return ExitCode::ok;
}

void tell_missed_rates(const Results& results, Notes& notes) {
  for (const std::string& note : reporters::missed_rates(results)) notes.warning(note);
}

void tell_limits(const Results& results, Console& console) {
  for (const TaskResult& task : results.tasks)
    if (task.of_calibrated && task.elapsed_s >= 0.5)
      console.info(fmt::format(
          "{} came to {:.2g} % of the {} that this machine can drive (pacenote calibrate).", task.task,
          100 * *task.of_calibrated, task.throughput.unit == "docs/s" ? "docs/s" : "requests/s"));
}

}  // namespace pacenote::cli
