// Standard error while a race runs: notes, progress, errors. The load never waits for it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/progress.hpp"
#include "core/executor.hpp"
#include "core/notes.hpp"

namespace pacenote::cli {

struct ConsoleOptions {
  bool quiet = false;  ///< nothing but errors
  int fd = 2;
  bool rewrite = false;  ///< progress stands in one line, rewritten every second
  bool colours = false;
  Duration patience = std::chrono::seconds(1);  ///< how long flush() and finish() wait for a stuck terminal
};

/// For standard error as it is: terminal or not, TERM, NO_COLOR.
ConsoleOptions console_options(bool quiet);

/// Has a thread of its own, which alone writes. Everything may be called from any thread and returns at once,
/// but for flush() and finish(). Notes wait in a bounded queue where the terminal does not drain; progress is
/// left out then.
class Console final : public Notes, public ErrorLog {
 public:
  explicit Console(const ConsoleOptions& options);
  ~Console() override;  ///< finishes
  void info(const std::string& text) override;
  void warning(const std::string& text) override;
  void error(const std::string& text);
  /// The first of a kind is shown at once, the number of the others when the step ends.
  void failed(std::string_view task, const Outcome& outcome) override;

  /// tracks::PrepareProgress.
  void preparing(const std::string& what, std::uint64_t done, std::uint64_t total, const std::string& unit);
  /// The tasks' progress is read until step_ends() returns.
  void step_begins(std::vector<ShownTask> tasks);
  /// `completed` is false where the step was cut short: its tasks then keep the percentage they reached.
  void step_ends(bool completed = true);

  /// Returns once all is written, or patience is over. For before something goes to standard output.
  void flush();
  /// As flush(), then ends the thread. What comes later is not shown. Idempotent.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pacenote::cli
