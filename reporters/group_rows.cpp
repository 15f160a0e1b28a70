#include "reporters/group_rows.hpp"

#include <algorithm>
#include <cmath>

namespace pacenote::reporters {
namespace {

/// One value a race; empty if any race that has the task lacks it or none has it.
std::vector<double> values_of(const Group& group, const Quantity& quantity, const std::string& task,
                              const SampleTimes& samples) {
  std::vector<double> out;
  for (const RacedSide& side : group.races) {
    const auto position = reported_task(side.results, task);
    if (!position && !quantity.of_whole_cluster()) continue;
    const auto value = quantity.of_whole_cluster()
                           ? quantity.of(side.results)
                           : quantity.of(side.race.id, side.results, *position, samples);
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

/// Whether what the group's races measured of the task, or of the cluster, is not of a part only.
bool ran_whole(const Group& group, const Quantity& quantity, const std::string& task, std::size_t values) {
  if (values != 0 && values < group.races.size()) return false;
  return std::ranges::all_of(group.races, [&](const RacedSide& side) {
    if (quantity.of_whole_cluster()) return side.race.state == RaceState::finished;
    return std::ranges::all_of(side.results.tasks, [&](const TaskResult& result) {
      return result.task != task || result.state == TaskState::complete;
    });
  });
}

double centre_of(const GroupRow& row, const std::vector<double>& values, PooledTimes& pooled) {
  if (const auto p = row.quantity.percentile()) {
    if (const auto value = pooled.percentile(row.task, row.quantity.times(), *p)) return *value;
  }
  return statistics::median_of(values);
}

}  // namespace

double failed_share(const Group& group, const std::string& task) {
  std::vector<double> rates;
  for (const RacedSide& side : group.races)
    for (const TaskResult& result : side.results.tasks)
      if (result.task == task && result.state != TaskState::not_run) rates.push_back(result.error_rate);
  return rates.empty() ? 0 : statistics::mean_of(rates);
}

std::optional<double> PooledTimes::percentile(const std::string& task, Times times, double p) {
  if (!samples_ || group_.races.size() < 2) return std::nullopt;
  if (task != task_ || times != times_) {
    task_ = task;
    times_ = times;
    pool();
  }
  return percentile_ms(values_, p);
}

/// Empty unless every race has its samples.
void PooledTimes::pool() {
  values_.clear();
  for (const RacedSide& side : group_.races) {
    const auto position = reported_task(side.results, task_);
    if (!position) continue;
    const std::vector<std::int64_t> some = samples_(side.race.id, *position, times_);
    if (some.empty()) return values_.clear();
    values_.insert(values_.end(), some.begin(), some.end());
  }
}

GroupRows::GroupRows(const Group& baseline, const Group& contender, const SampleTimes& samples)
    : baseline_(baseline),
      contender_(contender),
      samples_(samples),
      pooled_baseline_(baseline, samples),
      pooled_contender_(contender, samples) {}

void GroupRows::add(const Quantity& quantity, const TaskResult& task, bool primary, bool even_one_sided) {
  const std::string name = quantity.of_whole_cluster() ? "" : task.task;
  const auto same = [&](const GroupRow& row) { return row.task == name && row.quantity == quantity; };
  if (std::ranges::any_of(rows_, same)) return;
  GroupRow row{quantity, name, quantity.unit(task), values_of(baseline_, quantity, name, samples_),
               values_of(contender_, quantity, name, samples_)};
  if (row.baseline.empty() && row.contender.empty()) return;
  if (row.one_sided() && !even_one_sided) return;
  if (!row.baseline.empty()) row.baseline_centre = centre_of(row, row.baseline, pooled_baseline_);
  if (!row.contender.empty()) row.contender_centre = centre_of(row, row.contender, pooled_contender_);
  if (!row.one_sided()) {
    row.shift = statistics::shift_of(row.baseline, row.contender);
    row.noise = noise_of(row, baseline_, contender_);
  }
  row.baseline_failed = failed_share(baseline_, name);
  row.contender_failed = failed_share(contender_, name);
  row.primary = primary;
  row.whole = ran_whole(baseline_, quantity, name, row.baseline.size()) &&
              ran_whole(contender_, quantity, name, row.contender.size());
  rows_.push_back(std::move(row));
}

}  // namespace pacenote::reporters
