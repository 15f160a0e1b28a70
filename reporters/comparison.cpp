#include "reporters/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reporters/figures.hpp"
#include "reporters/numbers.hpp"
#include "reporters/summary.hpp"

namespace pacenote::reporters {
namespace {

/// One figure on both sides.
struct Pair {
  std::string name, task, unit;
  std::optional<Number> baseline, contender;
  Scale scale = Scale::none;
  bool more_is_better = false;
};

/// What looks like zero at so many decimals is no change (behaviour E.2).
Cell change(double by, int decimals, std::string_view suffix, bool more_is_better) {
  const double threshold = decimals == 5 ? 1e-5 : 1e-2;
  const bool up = by >= threshold;
  if (!up && by > -threshold) return Cell(Real{by, decimals, false, suffix}, Tone::neutral);
  return Cell(Real{by, decimals, up, suffix}, up == more_is_better ? Tone::better : Tone::worse);
}

class ComparisonRows {
 public:
  explicit ComparisonRows(const ComparisonOptions& options) : options_(options) {}

  /// `missing` stands where a side has no value.
  void add(const Pair& pair, std::string_view missing = "n/a") {
    if (!pair.baseline && !pair.contender) return;
    const bool both = pair.baseline && pair.contender;
    if (!both && options_.rally_rows) return;
    const auto side = [&](const std::optional<Number>& value) {
      return value ? cell(scaled(*value, pair.scale)) : mark(missing);
    };
    std::vector<Cell> row{Cell(pair.name), Cell(pair.task), side(pair.baseline), side(pair.contender)};
    Cell by = mark(missing);
    Cell percent = mark(missing);
    if (both) {
      const Number diff = difference(*pair.baseline, *pair.contender);
      by = change(as_double(scaled(diff, pair.scale)), 5, "", pair.more_is_better);
      percent = relative(as_double(diff), as_double(*pair.baseline), pair.more_is_better, by.tone);
    }
    row.push_back(std::move(by));
    row.push_back(Cell(pair.unit));
    row.push_back(std::move(percent));
    table_.rows.push_back(std::move(row));
  }

  Table take() {
    table_.header = {"Metric", "Task", "Baseline", "Contender", "Diff", "Unit", "Diff %"};
    return std::move(table_);
  }

 private:
  static Cell mark(std::string_view text) { return Cell(Mark{std::string(text)}); }

  Cell relative(double diff, double baseline, bool more_is_better, Tone absolute) const {
    if (baseline != 0) return change(diff / baseline * 100, 2, "%", more_is_better);
    if (options_.rally_rows || diff == 0) return change(0, 2, "%", more_is_better);
    Cell none = mark("n/a");
    none.tone = absolute;
    return none;
  }

  const ComparisonOptions& options_;
  Table table_;
};

void add_cluster(ComparisonRows& rows, const Json& baseline, const Json& contender) {
  const std::vector<Figure> others = cluster_figures(contender, Use::comparison);
  for (const Figure& figure : cluster_figures(baseline, Use::comparison)) {
    const auto other = std::find_if(others.begin(), others.end(), [&](const Figure& candidate) {
      return candidate.name == figure.name && candidate.task == figure.task;
    });
    if (!figure.value || other == others.end() || !other->value) continue;
    rows.add({figure.name, figure.task, figure.unit, figure.value, other->value, figure.scale,
              figure.more_is_better});
  }
}

using Usages = std::map<std::string, std::map<std::string, std::map<std::string, double>>>;

Usages usages(const Json& cluster) {
  Usages out;
  for (const DiskUsage& usage : disk_usage(cluster)) out[usage.index][usage.field][usage.kind] = usage.bytes;
  return out;
}

/// Fields of the indices that both races have, the smaller of each index first.
void add_disk_usage(ComparisonRows& rows, const Json& baseline_cluster, const Json& contender_cluster) {
  Usages baseline = usages(baseline_cluster);
  Usages contender = usages(contender_cluster);
  for (auto& [index, fields] : baseline) {
    if (!contender.contains(index)) continue;
    auto& other_fields = contender[index];
    for (const auto& [field, kinds] : other_fields) fields[field];
    std::vector<std::pair<double, std::string>> order;
    for (auto& [field, kinds] : fields)
      order.emplace_back(std::max(kinds["total"], other_fields[field]["total"]), field);
    std::sort(order.begin(), order.end());
    for (const auto& [total, field] : order) {
      for (const std::string& kind : disk_usage_kinds()) {
        const double before = fields[field][kind];
        const double after = other_fields[field][kind];
        if (before == 0 && after == 0) continue;
        const Scale scale = byte_scale(std::min(before, after));
        rows.add({fmt::format("{} {} {}", index, field, kind), "", std::string(unit_of(scale)), before, after,
                  scale});
      }
    }
  }
}

std::optional<Number> optional_number(const std::optional<double>& value) {
  if (!value) return std::nullopt;
  return Number(*value);
}

std::optional<Number> at(const Distribution& distribution, double p) {
  for (const auto& [percentile, ms] : distribution.percentiles) {
    if (percentile == p) return ms;
  }
  return std::nullopt;
}

/// The rows of one task; a side that did not run it is null.
void add_task(ComparisonRows& rows, const TaskResult* baseline, const TaskResult* contender,
              const ComparisonOptions& options) {
  static const TaskResult nothing;
  const std::string_view missing = baseline != nullptr && contender != nullptr ? "n/a" : "—";
  const TaskResult& a = baseline != nullptr ? *baseline : nothing;
  const TaskResult& b = contender != nullptr ? *contender : nothing;
  const std::string& name = baseline != nullptr ? a.task : b.task;
  const std::string& unit = a.throughput.unit.empty() ? b.throughput.unit : a.throughput.unit;
  for (const auto& [stat, member] : {std::pair("Min", &ThroughputStats::min),
                                     {"Mean", &ThroughputStats::mean},
                                     {"Median", &ThroughputStats::median},
                                     {"Max", &ThroughputStats::max}}) {
    rows.add({fmt::format("{} Throughput", stat), name, unit, optional_number(a.throughput.*member),
              optional_number(b.throughput.*member), Scale::none, true},
             missing);
  }
  const auto times = [&](std::string_view what, const Distribution& before, const Distribution& after) {
    for (const double p : kPercentiles) {
      rows.add({fmt::format("{} percentile {}", ordinal(p), what), name, "ms", at(before, p), at(after, p)},
               missing);
    }
  };
  times("latency", a.latency, b.latency);
  times("service time", a.service_time, b.service_time);
  if (options.processing_time) times("processing time", a.processing_time, b.processing_time);
  const auto rate = [](const TaskResult* task) {
    return task != nullptr ? optional_number(task->error_rate) : std::nullopt;
  };
  rows.add({"error rate", name, "%", rate(baseline), rate(contender), Scale::percent}, missing);
}

const TaskResult* reported(const Results& results, const std::string& name) {
  for (const TaskResult& task : results.tasks) {
    if (task.task == name && task.include_in_reporting && task.state != TaskState::not_run) return &task;
  }
  return nullptr;
}

}  // namespace

Table comparison(const Results& baseline, const Results& contender, const ComparisonOptions& options) {
  ComparisonRows rows(options);
  add_cluster(rows, baseline.cluster, contender.cluster);
  add_disk_usage(rows, baseline.cluster, contender.cluster);
  for (const TaskResult& task : baseline.tasks) {
    if (reported(baseline, task.task) == nullptr) continue;
    const TaskResult* other = reported(contender, task.task);
    if (other != nullptr || !options.rally_rows) add_task(rows, &task, other, options);
  }
  for (const TaskResult& task : contender.tasks) {
    if (options.rally_rows || reported(baseline, task.task) != nullptr) continue;
    if (reported(contender, task.task) != nullptr) add_task(rows, nullptr, &task, options);
  }
  return rows.take();
}

}  // namespace pacenote::reporters
