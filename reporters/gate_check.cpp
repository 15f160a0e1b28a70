// Gates applied to figures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/glob.hpp"
#include "reporters/gate.hpp"
#include "reporters/numbers.hpp"

namespace pacenote::reporters {
namespace {

bool holds(Gate::Operator compare, double value, double limit) {
  switch (compare) {
    case Gate::Operator::above:
      return value > limit;
    case Gate::Operator::at_least:
      return value >= limit;
    case Gate::Operator::below:
      return value < limit;
    case Gate::Operator::at_most:
      return value <= limit;
    case Gate::Operator::equal:
      return value == limit;
    case Gate::Operator::unequal:
      break;
  }
  return value != limit;
}

std::string value_text(const Quantity& quantity, double value, const std::string& unit) {
  return fmt::format("{}{}{}", general(quantity.shown(value)), unit.empty() ? "" : " ", unit);
}

/// Adds what must not go unsaid: a gate that nothing was held against.
void add_unchecked(std::vector<GateResult>& out, const Gate& gate, std::size_t before) {
  if (out.size() == before)
    out.push_back({gate.text, "", true,
                   gate.quantity.of_whole_cluster()
                       ? "no value: the cluster did not tell this figure"
                       : "no value: no task has this figure, or too few samples for it"});
}

double changed(const GroupRow& row) {
  const double baseline = statistics::median_of(row.baseline);
  if (baseline == 0) return row.shift.estimate == 0 ? 0 : std::copysign(HUGE_VAL, row.shift.estimate);
  return row.shift.estimate / std::abs(baseline);
}

/// What is measured of a part is no answer for the whole.
void fail_if_cut(GateResult& result, bool whole, std::string_view what) {
  if (whole) return;
  result.failed = true;
  result.words += fmt::format(", but {}", what);
}

GateResult check_change(const Gate& gate, const GroupRow& row) {
  const double by = changed(row);
  const double measured = gate.of == Gate::Of::drop ? -by : gate.of == Gate::Of::rise ? by : std::abs(by);
  const bool reached = holds(gate.compare, measured, gate.limit);
  const bool shown = row.verdict == Verdict::better || row.verdict == Verdict::worse;
  const bool open = row.verdict == Verdict::cannot_tell;  // what cannot be checked has not passed
  GateResult out{gate.text, row.task, reached && (shown || open || !gate.significant), ""};
  out.words = std::isfinite(by) ? fmt::format("{:+.2f} %", by * 100) : "up from zero";
  if (gate.significant) {
    out.words += shown ? fmt::format(", significant (p = {:.4f})", row.p)
                       : fmt::format(", {}{}", to_string(row.verdict), row.why.empty() ? "" : ": " + row.why);
  }
  return out;
}

void check_cluster(std::vector<GateResult>& out, const Gate& gate, const RacedSide& race) {
  const auto value = gate.quantity.of(race.results);
  if (!value) return;
  out.push_back({gate.text, "", holds(gate.compare, *value, gate.limit),
                 value_text(gate.quantity, *value, gate.quantity.unit({}))});
  fail_if_cut(out.back(), race.race.state == RaceState::finished,
              fmt::format("the race is {}", to_string(race.race.state)));
}

void check_tasks(std::vector<GateResult>& out, const Gate& gate, const RacedSide& race,
                 const SampleTimes& samples) {
  const std::size_t before = out.size();
  std::vector<GateResult> unchecked;
  // A task that ran and measured nothing has not shown that it has no errors.
  const bool always_known = gate.quantity == Quantity::parse("error_rate");
  for (std::size_t i = 0; i < race.results.tasks.size(); ++i) {
    const TaskResult& task = race.results.tasks[i];
    if (!matches_glob(gate.tasks, task.task) || (!gate.names_tasks && !task.include_in_reporting)) continue;
    const bool ran = task.state != TaskState::not_run;
    const auto value =
        ran ? gate.quantity.of(race.race.id, race.results, i, samples) : std::optional<double>();
    const std::string why_not =
        ran ? fmt::format("no value: {} samples", task.samples) : "no value: the task did not run";
    if (value) {
      out.push_back({gate.text, task.task, holds(gate.compare, *value, gate.limit),
                     value_text(gate.quantity, *value, gate.quantity.unit(task))});
      fail_if_cut(out.back(), task.state == TaskState::complete, "the task did not run to its end");
    } else if (gate.names_tasks || (ran && always_known)) {
      out.push_back({gate.text, task.task, true, why_not});
    } else {
      unchecked.push_back({gate.text, task.task, false, why_not, true});
    }
  }
  if (out.size() > before) out.insert(out.end(), unchecked.begin(), unchecked.end());
}

/// One row of a comparison. What only the baseline has is lost, which no gate lets pass; what only the
/// contender has is new, and nothing to hold it against.
GateResult check_row(const Gate& gate, const GroupRow& row) {
  if (row.contender.empty())
    return {gate.text, row.task, true, "no value in the contender; the baseline has it"};
  if (gate.needs_baseline() && row.baseline.empty())
    return {gate.text, row.task, gate.names_tasks, "no value in the baseline; the contender has it",
            !gate.names_tasks};
  GateResult out =
      gate.needs_baseline()
          ? check_change(gate, row)
          : GateResult{gate.text, row.task, holds(gate.compare, row.contender_centre, gate.limit),
                       value_text(gate.quantity, row.contender_centre, row.unit)};
  fail_if_cut(out, row.whole, "not all of the races ran the task to its end");
  return out;
}

}  // namespace

std::vector<GateResult> check_gates(const std::vector<Gate>& gates, const RacedSide& race,
                                    const SampleTimes& samples) {
  std::vector<GateResult> out;
  for (const Gate& gate : gates) {
    const std::size_t before = out.size();
    if (gate.quantity.of_whole_cluster())
      check_cluster(out, gate, race);
    else
      check_tasks(out, gate, race, samples);
    add_unchecked(out, gate, before);
  }
  return out;
}

std::vector<GateResult> check_gates(const std::vector<Gate>& gates, const std::vector<GroupRow>& rows) {
  std::vector<GateResult> out;
  for (const Gate& gate : gates) {
    const std::size_t before = out.size();
    for (const GroupRow& row : rows) {
      if (row.quantity == gate.quantity && matches_glob(gate.tasks, row.task))
        out.push_back(check_row(gate, row));
    }
    add_unchecked(out, gate, before);
  }
  return out;
}

bool any_failed(const std::vector<GateResult>& results) {
  return std::ranges::any_of(results, [](const GateResult& result) { return result.failed; });
}

}  // namespace pacenote::reporters
