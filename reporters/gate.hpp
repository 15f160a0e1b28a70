// --fail-on: what turns a race or a comparison into a failure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reporters/groups.hpp"
#include "reporters/quantity.hpp"

namespace pacenote::reporters {

/// `[TASKS:] METRIC [drop|rise|change] OPERATOR NUMBER[UNIT] [significant]`, true where it fails.
struct Gate {
  enum class Of : std::uint8_t { value, drop, rise, change };
  enum class Operator : std::uint8_t { above, at_least, below, at_most, equal, unequal };

  std::string text;         ///< as the user wrote it
  std::string tasks = "*";  ///< a glob
  bool names_tasks = false;
  Quantity quantity;
  Of of = Of::value;
  Operator compare = Operator::above;
  double limit = 0;  ///< of the quantity itself (ratios and changes in [0, 1], times in ms)
  bool significant = false;

  bool needs_baseline() const { return of != Of::value; }
};

/// UserError that says at which column, and what would do instead.
Gate gate_from(const std::string& text);

struct GateResult {
  std::string gate, task;
  bool failed = false;
  std::string words;        ///< "312.4 ms", "no value: …"
  bool unchecked = false;   ///< the task has no such figure, and the gate did not name it
  std::string groups = {};  ///< which comparison, where there are several
};

/// Gates of single values on one race. What cannot be checked has not passed: a gate that names tasks fails
/// for one without a value, any gate where there is no value at all, or one of a task or race that was cut
/// short.
std::vector<GateResult> check_gates(const std::vector<Gate>& gates, const RacedSide& race,
                                    const SampleTimes& samples);
/// Gates on the rows of a comparison: single values are the contender's centre. A figure that the contender
/// lost fails.
std::vector<GateResult> check_gates(const std::vector<Gate>& gates, const std::vector<GroupRow>& rows);
bool any_failed(const std::vector<GateResult>& results);

/// UserError where a gate that names tasks fits none of `tasks`, or needs a baseline.
void check_before_race(const std::vector<Gate>& gates, const std::vector<std::string>& tasks);

/// A JUnit report: one test case a task that says whether it did its work, and one a gate and task.
std::string junit_xml(const RacedSide& race, const std::vector<GateResult>& gates);
/// The same of a comparison: gates alone.
std::string junit_xml(const std::vector<GateResult>& gates);

}  // namespace pacenote::reporters
