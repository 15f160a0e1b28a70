#include "reporters/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/glob.hpp"
#include "core/statistics/permutation.hpp"
#include "core/statistics/power.hpp"
#include "core/suggest.hpp"
#include "core/text.hpp"
#include "reporters/group_rows.hpp"
#include "reporters/summary.hpp"

namespace pacenote::reporters {
namespace {

constexpr double kAlpha = 0.05;

/// Tasks that any race reports, in the order of the first that has them.
std::vector<TaskResult> tasks_of(const Group& baseline, const Group& contender) {
  std::vector<TaskResult> out;
  std::set<std::string> seen;
  for (const Group* group : {&baseline, &contender}) {
    for (const RacedSide& side : group->races) {
      for (const TaskResult& task : side.results.tasks) {
        if (reported_task(side.results, task.task) && seen.insert(task.task).second) out.push_back(task);
      }
    }
  }
  return out;
}

/// A handful of requests says nothing. Imported races do not tell their number, but have a 90th percentile
/// then.
bool telling(const TaskResult& task) {
  return task.samples >= 10 || task.service_time.percentiles.size() > 2;
}

void add_default_primary(GroupRows& rows, const std::vector<TaskResult>& tasks, const Group& baseline,
                         const Group& contender) {
  for (const TaskResult& task : tasks) {
    const bool erred = failed_share(baseline, task.task) > 0 || failed_share(contender, task.task) > 0;
    if (erred && rows.size() < kMostPrimary) rows.add(Quantity::parse("error_rate"), task, true, false);
  }
  const Quantity kinds[] = {Quantity::parse("throughput"), Quantity::percentile(Times::latency, 99),
                            Quantity::percentile(Times::latency, 50)};
  for (const Quantity& quantity : kinds) {
    for (const TaskResult& task : tasks) {
      if (rows.size() < kMostPrimary && telling(task)) rows.add(quantity, task, true, false);
    }
  }
}

[[noreturn]] void no_task_fits(const std::string& glob, const std::vector<TaskResult>& tasks) {
  std::vector<std::string> names;
  for (const TaskResult& task : tasks) names.push_back(task.task);
  throw UserError(fmt::format("no task of the races fits [{}]", glob), suggestion(glob, names),
                  ExitCode::usage);
}

void add_matching(GroupRows& rows, const std::vector<TaskResult>& tasks, const std::vector<Primary>& wanted,
                  bool primary) {
  for (const Primary& one : wanted) {
    if (one.quantity.of_whole_cluster()) {
      rows.add(one.quantity, {}, primary);
      continue;
    }
    bool fits = false;
    for (const TaskResult& task : tasks) {
      if (!matches_glob(one.tasks, task.task)) continue;
      fits = true;
      rows.add(one.quantity, task, primary);
    }
    if (!fits) no_task_fits(one.tasks, tasks);
  }
}

void check_number(std::size_t primary) {
  if (primary > kMostPrimary)
    throw UserError(fmt::format("--primary chooses {} metrics; at most {} can carry a verdict together",
                                primary, kMostPrimary),
                    "name the tasks: --primary=\"TASK: METRIC\"", ExitCode::usage);
}

void add_exploratory(GroupRows& rows, const std::vector<TaskResult>& tasks) {
  std::vector<Quantity> quantities;
  for (const char* name : {"throughput", "accepted_throughput", "error_rate"})
    quantities.push_back(Quantity::parse(name));
  for (const Times times : {Times::latency, Times::service_time, Times::took})
    for (const double p : kPercentiles) quantities.push_back(Quantity::percentile(times, p));
  for (const TaskResult& task : tasks)
    for (const Quantity& quantity : quantities) rows.add(quantity, task, false);
  for (const ClusterQuantity& quantity : cluster_quantities()) rows.add(Quantity(quantity), {}, false);
}

/// A server that refuses requests is fast: whose requests fail more is not the better one for that. Empty:
/// the verdict may stand.
std::string undone_by_failures(const GroupRow& row) {
  const Dimension dimension = row.quantity.dimension();
  if (row.quantity.of_whole_cluster() || (dimension != Dimension::ms && dimension != Dimension::rate))
    return {};
  const auto share = [](std::string_view who, double failed) {
    return fmt::format("{:.3g} % of the {}'s requests failed", failed * 100, who);
  };
  if (row.verdict == Verdict::better && row.contender_failed > row.baseline_failed)
    return share("contender", row.contender_failed);
  if (row.verdict == Verdict::worse && row.baseline_failed > row.contender_failed)
    return share("baseline", row.baseline_failed);
  return {};
}

void judge(GroupRow& row, std::size_t tests, std::size_t races_baseline, std::size_t races_contender) {
  if (row.one_sided()) {
    row.why = "not on both sides";
    return;
  }
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
  if (const std::string why = undone_by_failures(row); !why.empty()) {
    row.verdict = Verdict::cannot_tell;
    row.why = why;
    return;
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
  Primary out{std::string(trimmed(std::string_view(text).substr(0, colon))),
              Quantity::parse(text.substr(colon + 1))};
  if (out.quantity.of_whole_cluster() && out.tasks != "*")
    throw UserError(
        fmt::format("--primary \"{}\": that is a figure of the whole cluster, not of a task", text),
        "leave out the task and its colon", ExitCode::usage);
  return out;
}

std::vector<GroupRow> compare_groups(const Group& baseline, const Group& contender,
                                     const GroupsOptions& options, const SampleTimes& samples) {
  const std::vector<TaskResult> tasks = tasks_of(baseline, contender);
  GroupRows collected(baseline, contender, samples);
  if (options.primary.empty()) {
    add_default_primary(collected, tasks, baseline, contender);
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
