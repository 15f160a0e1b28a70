#include "reporters/task_figures.hpp"

#include <fmt/format.h>

#include "reporters/driver_notes.hpp"
#include "reporters/quantity.hpp"

namespace pacenote::reporters {
namespace {

constexpr std::size_t kMostErrors = 5;

class FigureRows {
 public:
  explicit FigureRows(Table& table) : table_(table) {}
  void task(const TaskResult& task) {
    task_ = &task;
    throughput();
    const std::string failed = task.failed > 0 ? fmt::format("with {} failed requests", task.failed) : "";
    if (task.target_throughput) times("latency", task.latency, failed);
    times("service_time", task.service_time, failed);
    times("successful service_time", task.successful_service_time, "");
    times("took", task.took, "as the server says");
    errors();
  }

 private:
  void add(std::string metric, double value, const std::optional<statistics::Interval>& interval,
           std::string_view unit, std::string_view remark) {
    table_.rows.push_back({Cell(metric), Cell(task_->task), number(value),
                           interval ? number(interval->low) : Cell(Mark{"n/a"}),
                           interval ? number(interval->high) : Cell(Mark{"n/a"}), Cell(unit), Cell(remark)});
  }

  void throughput() {
    const TaskResult& task = *task_;
    const std::string& unit = task.throughput.unit;
    const auto& interval = task.overall_interval;
    if (task.overall_throughput)
      add("throughput", *task.overall_throughput, interval, unit,
          interval            ? ""
          : task.samples < 32 ? "few samples"
                              : "not steady");
    const std::uint64_t items = task.items_ok + task.items_failed;
    if (task.items_failed > 0 && task.accepted_throughput) {
      const double share = static_cast<double>(task.items_ok) / static_cast<double>(items);
      const auto scaled =
          interval ? std::optional(statistics::Interval{interval->low * share, interval->high * share})
                   : std::nullopt;
      add("accepted_throughput", *task.accepted_throughput, scaled, unit,
          fmt::format("{} of {} documents failed", task.items_failed, items));
    }
    if (const auto reached = Quantity::parse("rate_reached").of(task))
      add("rate_reached", *reached * 100, std::nullopt, "%", missed_rate(task));
  }

  void times(std::string_view what, const Distribution& times, std::string_view remark) {
    for (const auto& [p, value] : times.percentiles) {
      std::optional<statistics::Interval> interval;
      for (const auto& [at, found] : times.intervals) {
        if (at == p) interval = found;
      }
      const bool few = !interval && p < 100;
      add(p < 100 ? fmt::format("p{} {}", p, what) : fmt::format("max {}", what), value, interval, "ms",
          few ? fmt::format("few samples{}{}", remark.empty() ? "" : "; ", remark) : std::string(remark));
    }
  }

  void errors() {
    for (std::size_t i = 0; i < task_->errors.size() && i < kMostErrors; ++i) {
      const ErrorCount& error = task_->errors[i];
      table_.rows.push_back(
          {Cell("errors"), Cell(task_->task), Cell(static_cast<std::int64_t>(error.count)), Cell(Mark{"n/a"}),
           Cell(Mark{"n/a"}), Cell(""),
           Cell(task_->warmup_samples > 0 ? fmt::format("{} (warm-up, too)", error.text) : error.text)});
    }
  }

  Table& table_;
  const TaskResult* task_ = nullptr;
};

}  // namespace

Table task_figures(const Results& results) {
  Table table;
  table.title = kTaskFiguresTitle;
  table.header = {"Metric", "Task", "Value", "95 % from", "95 % to", "Unit", "Remark"};
  FigureRows rows(table);
  for (const TaskResult& task : results.tasks) {
    if (task.include_in_reporting && task.state != TaskState::not_run && task.samples > 0) rows.task(task);
  }
  return table;
}

}  // namespace pacenote::reporters
