#include "reporters/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/glob.hpp"
#include "core/statistics/permutation.hpp"
#include "core/statistics/power.hpp"
#include "core/text.hpp"
#include "reporters/summary.hpp"

namespace pacenote::reporters {
namespace {

constexpr double kAlpha = 0.05;

/// Samples of one task over all races of a group, in order. The last one is kept: its percentiles come in
/// turn.
class PooledTimes {
 public:
  PooledTimes(const Group& group, const SampleTimes& samples) : group_(group), samples_(samples) {}
  std::optional<double> percentile(const std::string& task, Times times, double p) {
    if (!samples_ || group_.races.size() < 2) return std::nullopt;
    if (task != task_ || times != times_) {
      task_ = task;
      times_ = times;
      pool();
    }
    return percentile_ms(values_, p);
  }

 private:
  /// Empty unless every race has its samples.
  void pool() {
    values_.clear();
    for (const RacedSide& side : group_.races) {
      const auto position = reported_task(side.results, task_);
      if (!position) continue;
      const std::vector<std::int64_t> some = samples_(side.race.id, *position, times_);
      if (some.empty()) return values_.clear();
      values_.insert(values_.end(), some.begin(), some.end());
    }
  }
  const Group& group_;
  const SampleTimes& samples_;
  std::string task_;
  Times times_{};
  std::vector<std::int64_t> values_;
};

/// One value a race; empty if any race that has the task lacks it or none has it.
std::vector<double> values_of(const Group& group, const Quantity& quantity, const std::string& task,
                              const SampleTimes& samples) {
  std::vector<double> out;
  for (const RacedSide& side : group.races) {
    const auto position = reported_task(side.results, task);
    if (!position) continue;
    const auto value = quantity.of(side.race.id, side.results, *position, samples);
    if (!value || !std::isfinite(*value)) return {};
    out.push_back(*value);
  }
  return out;
}

/// How much a race's value differs from the next one's: seen between races, else inside of single ones.
std::optional<double> noise_of(const GroupRow& row, const Group& baseline, const Group& contender) {
  const double a = statistics::deviation_of(row.baseline), b = statistics::deviation_of(row.contender);
  const auto free_a = static_cast<double>(row.baseline.size() - 1);
  const auto free_b = static_cast<double>(row.contender.size() - 1);
  if (free_a + free_b > 0) return std::sqrt((free_a * a * a + free_b * b * b) / (free_a + free_b));
  std::optional<double> most;
  for (const Group* group : {&baseline, &contender}) {
    for (const RacedSide& side : group->races) {
      const auto position = reported_task(side.results, row.task);
      const auto error = position ? row.quantity.error_of(side.results.tasks[*position]) : std::nullopt;
      if (error) most = std::max(most.value_or(0), *error);
    }
  }
  return most;
}

class Rows {
 public:
  Rows(const Group& baseline, const Group& contender, const SampleTimes& samples)
      : baseline_(baseline),
        contender_(contender),
        samples_(samples),
        pooled_baseline_(baseline, samples),
        pooled_contender_(contender, samples) {}

  /// Nothing where a side has no value.
  void add(const Quantity& quantity, const TaskResult& task, bool primary) {
    const auto same = [&](const GroupRow& row) { return row.task == task.task && row.quantity == quantity; };
    if (std::ranges::any_of(rows_, same)) return;
    GroupRow row{quantity, task.task, quantity.unit(task),
                 values_of(baseline_, quantity, task.task, samples_),
                 values_of(contender_, quantity, task.task, samples_)};
    if (row.baseline.empty() || row.contender.empty()) return;
    row.baseline_centre = centre(row, row.baseline, pooled_baseline_);
    row.contender_centre = centre(row, row.contender, pooled_contender_);
    row.shift = statistics::shift_of(row.baseline, row.contender);
    row.primary = primary;
    row.noise = noise_of(row, baseline_, contender_);
    rows_.push_back(std::move(row));
  }
  std::size_t size() const { return rows_.size(); }
  std::vector<GroupRow> take() { return std::move(rows_); }

 private:
  static double centre(const GroupRow& row, const std::vector<double>& values, PooledTimes& pooled) {
    if (const auto p = row.quantity.percentile()) {
      if (const auto value = pooled.percentile(row.task, row.quantity.times(), *p)) return *value;
    }
    return statistics::median_of(values);
  }
  const Group& baseline_;
  const Group& contender_;
  const SampleTimes& samples_;
  PooledTimes pooled_baseline_, pooled_contender_;
  std::vector<GroupRow> rows_;
};

/// Tasks that any race of the group reports, in the order of the first that has them.
std::vector<TaskResult> tasks_of(const Group& group) {
  std::vector<TaskResult> out;
  std::set<std::string> seen;
  for (const RacedSide& side : group.races) {
    for (const TaskResult& task : side.results.tasks) {
      if (reported_task(side.results, task.task) && seen.insert(task.task).second) out.push_back(task);
    }
  }
  return out;
}

/// A handful of requests says nothing. Imported races do not tell their number, but have a 90th percentile
/// then.
bool telling(const TaskResult& task) {
  return task.samples >= 10 || task.service_time.percentiles.size() > 2;
}

void add_default_primary(Rows& rows, const std::vector<TaskResult>& tasks) {
  const Quantity kinds[] = {Quantity::parse("throughput"), Quantity::percentile(Times::latency, 99),
                            Quantity::percentile(Times::latency, 50)};
  for (const Quantity& quantity : kinds) {
    for (const TaskResult& task : tasks) {
      if (rows.size() < kMostPrimary && telling(task)) rows.add(quantity, task, true);
    }
  }
}

void add_matching(Rows& rows, const std::vector<TaskResult>& tasks, const std::vector<Primary>& wanted,
                  bool primary) {
  for (const Primary& one : wanted) {
    for (const TaskResult& task : tasks) {
      if (matches_glob(one.tasks, task.task)) rows.add(one.quantity, task, primary);
    }
  }
}

void check_number(std::size_t primary) {
  if (primary > kMostPrimary)
    throw UserError(fmt::format("--primary chooses {} metrics; at most {} can carry a verdict together",
                                primary, kMostPrimary),
                    "name the tasks: --primary=\"TASK: METRIC\"", ExitCode::usage);
}

void add_exploratory(Rows& rows, const std::vector<TaskResult>& tasks) {
  std::vector<Quantity> quantities;
  for (const char* name : {"throughput", "accepted_throughput", "error_rate"})
    quantities.push_back(Quantity::parse(name));
  for (const Times times : {Times::latency, Times::service_time, Times::took})
    for (const double p : kPercentiles) quantities.push_back(Quantity::percentile(times, p));
  for (const TaskResult& task : tasks)
    for (const Quantity& quantity : quantities) rows.add(quantity, task, false);
}

void judge(GroupRow& row, std::size_t tests, std::size_t races_baseline, std::size_t races_contender) {
  const bool whole = row.baseline.size() == races_baseline && row.contender.size() == races_contender;
  const bool enough = statistics::smallest_p(row.baseline.size(), row.contender.size()) <= kAlpha;
  if (!whole) row.why = "not in all races";
  if (whole && !enough) row.why = "too few races";
  const bool up = row.shift.estimate > 0;
  if (whole && enough) {
    row.verdict = row.p > kAlpha                        ? Verdict::none_shown
                  : up == row.quantity.more_is_better() ? Verdict::better
                                                        : Verdict::worse;
  }
  if (row.verdict == Verdict::better || row.verdict == Verdict::worse || !row.noise) return;
  const auto needed = statistics::races_needed(row.shift.estimate, *row.noise, tests);
  const std::size_t have = std::min(row.baseline.size(), row.contender.size());
  if (needed && *needed > have) row.more = *needed - have;
}

/// One test for all rows that have a value of every race; of the others p stays 1.
void test_together(std::vector<GroupRow*> rows, std::size_t baseline, std::size_t contender) {
  std::erase_if(rows, [&](const GroupRow* row) {
    return row->baseline.size() != baseline || row->contender.size() != contender;
  });
  if (rows.empty() || baseline + contender < 3) return;
  std::vector<statistics::Values> values;
  for (const GroupRow* row : rows) {
    values.push_back(row->baseline);
    values.back().insert(values.back().end(), row->contender.begin(), row->contender.end());
  }
  const std::vector<double> p = statistics::permutation_test(values, baseline);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i]->p = p[i];
}

}  // namespace

Primary primary_from(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) return {"*", Quantity::parse(text)};
  return {std::string(trimmed(std::string_view(text).substr(0, colon))),
          Quantity::parse(text.substr(colon + 1))};
}

std::vector<GroupRow> compare_groups(const Group& baseline, const Group& contender,
                                     const GroupsOptions& options, const SampleTimes& samples) {
  const std::vector<TaskResult> tasks = tasks_of(baseline);
  Rows collected(baseline, contender, samples);
  if (options.primary.empty()) {
    add_default_primary(collected, tasks);
  } else {
    add_matching(collected, tasks, options.primary, true);
    check_number(collected.size());
  }
  const std::size_t tests = std::max<std::size_t>(collected.size(), 1);
  add_exploratory(collected, tasks);
  add_matching(collected, tasks, options.further, false);
  std::vector<GroupRow> rows = collected.take();
  const std::size_t a = baseline.races.size(), b = contender.races.size();
  std::vector<GroupRow*> together;
  for (GroupRow& row : rows) {
    if (row.primary) {
      together.push_back(&row);
    } else {
      test_together({&row}, a, b);
    }
  }
  test_together(together, a, b);
  for (GroupRow& row : rows) judge(row, row.primary ? tests : 1, a, b);
  return rows;
}

}  // namespace pacenote::reporters
