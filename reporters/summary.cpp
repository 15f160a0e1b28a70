#include "reporters/summary.hpp"

#include <fmt/format.h>

#include "reporters/figures.hpp"
#include "reporters/numbers.hpp"

namespace pacenote::reporters {

Show show_from(const std::string& text) {
  if (text == "available") return Show::available;
  if (text == "all-percentiles") return Show::all_percentiles;
  if (text == "all") return Show::all;
  throw UserError(fmt::format("unknown choice of rows [{}]", text), "known: available, all-percentiles, all");
}

std::string ordinal(double percentile) { return fmt::format("{}th", percentile); }

namespace {

class SummaryRows {
 public:
  explicit SummaryRows(const SummaryOptions& options) : options_(options) {}

  void add(std::string_view name, std::string_view task, Cell value, std::string_view unit,
           bool always = false) {
    if (value.empty() && !always && options_.show != Show::all) return;
    const bool empty = value.empty();
    std::vector<Cell> row{Cell(name), Cell(task), std::move(value)};
    row.push_back(empty ? Cell() : Cell(unit));
    table_.rows.push_back(std::move(row));
  }

  void cluster(const Json& figures) {
    for (const Figure& figure : cluster_figures(figures, Use::summary)) {
      add(figure.name, figure.task, figure.value ? cell(scaled(*figure.value, figure.scale)) : Cell(),
          figure.unit);
    }
    for (const DiskUsage& usage : disk_usage(figures)) {
      const Scale scale = byte_scale(usage.bytes);
      add(fmt::format("{} {} {}", usage.index, usage.field, usage.kind), "", cell(scaled(usage.bytes, scale)),
          unit_of(scale));
    }
  }

  void task(const TaskResult& task) {
    throughput(task);
    percentiles(task.task, "latency", task.latency);
    percentiles(task.task, "service time", task.service_time);
    if (options_.processing_time) percentiles(task.task, "processing time", task.processing_time);
    add("error rate", task.task, number(task.error_rate * 100, 2), "%");
    own(task);
  }

  Table take() {
    table_.header = {"Metric", "Task", "Value", "Unit"};
    return std::move(table_);
  }

 private:
  void throughput(const TaskResult& task) {
    const ThroughputStats& stats = task.throughput;
    for (const auto& [name, value] :
         {std::pair("Min", stats.min), {"Mean", stats.mean}, {"Median", stats.median}, {"Max", stats.max}}) {
      add(fmt::format("{} Throughput", name), task.task, value ? number(*value, 2) : Cell(), stats.unit);
    }
  }

  void percentiles(const std::string& task, std::string_view what, const Distribution& distribution) {
    if (distribution.percentiles.empty()) return;
    for (const double p : kPercentiles) {
      Cell value;
      for (const auto& [at, ms] : distribution.percentiles) {
        if (at == p) value = number(ms);
      }
      add(fmt::format("{} percentile {}", ordinal(p), what), task, std::move(value), "ms",
          options_.show != Show::available);
    }
  }

  void count(std::string_view name, const std::string& task, std::uint64_t value, std::string_view unit) {
    add(name, task, Cell(static_cast<std::int64_t>(value)), unit);
  }

  void own(const TaskResult& task) {
    if (task.items_failed > 0) {
      const std::uint64_t items = task.items_ok + task.items_failed;
      add("attempted throughput", task.task,
          task.overall_throughput ? number(*task.overall_throughput) : Cell(), task.throughput.unit);
      add("accepted throughput", task.task,
          task.accepted_throughput ? number(*task.accepted_throughput) : Cell(), task.throughput.unit);
      count("accepted documents", task.task, task.items_ok, "docs");
      count("failed documents", task.task, task.items_failed, "docs");
      add("document error rate", task.task,
          number(100 * static_cast<double>(task.items_failed) / static_cast<double>(items), 2), "%");
    }
    const std::uint64_t requests = task.samples + task.warmup_samples;
    if (task.failed > 0) count("failed requests", task.task, task.failed, "");
    if (task.attempts > requests) count("retries", task.task, task.attempts - requests, "");
  }

  const SummaryOptions& options_;
  Table table_;
};

}  // namespace

Table summary(const Results& results, const SummaryOptions& options) {
  SummaryRows rows(options);
  rows.cluster(results.cluster);
  for (const TaskResult& task : results.tasks) {
    if (task.include_in_reporting && task.state != TaskState::not_run) rows.task(task);
  }
  Table table = rows.take();
  table.notes = result_notes(results);
  return table;
}

}  // namespace pacenote::reporters
