// The last lines of a race, and its exit code.
#pragma once

#include "cli/console.hpp"
#include "core/error.hpp"
#include "core/race.hpp"
#include "core/results.hpp"
#include "store/writer.hpp"

namespace pacenote::cli {

struct Verdict {
  const RaceEnd& end;
  const store::WriterReport& kept;
  bool gates_passed;
  int signal;  ///< that ended it early; 0: none
  double seconds;
};

/// Says how it went; the exit code is README's.
ExitCode tell(const Verdict& verdict, Console& console);

/// Warns of planned rates that were not reached.
void tell_missed_rates(const Results& results, Notes& notes);

/// How near the load came to what this machine can drive, where that was measured.
void tell_limits(const Results& results, Console& console);

}  // namespace pacenote::cli
