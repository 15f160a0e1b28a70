#include "core/summarize.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/percentile.hpp"
#include "core/throughput.hpp"

namespace pacenote {
namespace {

/// Positions of the samples in order of begin. Samples come by driver thread and in order of their end, so
/// with many clients they rarely are in that order.
std::vector<std::pair<Instant, std::uint32_t>> by_begin(std::span<const Sample> samples) {
  std::vector<std::pair<Instant, std::uint32_t>> order(samples.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = {samples[i].begin, i};
  std::sort(order.begin(), order.end());
  return order;
}

std::vector<ThroughputPoint> throughput_points(std::span<const Sample> samples, Instant start, bool sorted) {
  ThroughputCalculator calculator;
  const auto add = [&](const Sample& sample) {
    ThroughputSample one;
    one.absolute_time = seconds(sample.begin - start);
    one.relative_time = seconds(sample.sent - start);
    one.time_period = seconds(sample.received - start);
    one.type = sample.type;
    one.amount = sample.weight;
    one.unit = sample.unit;
    if (sample.throughput >= 0) one.throughput = sample.throughput;
    calculator.add(one);
  };
  if (sorted)
    for (const Sample& sample : samples) add(sample);
  else
    for (const auto& [begin, position] : by_begin(samples)) add(samples[position]);
  return calculator.end_call();
}

ThroughputStats throughput_stats(const std::vector<ThroughputPoint>& points, const Names& names) {
  ThroughputStats stats;
  if (points.empty()) return stats;
  stats.unit = std::string(names.text(points.front().unit)) + "/s";
  std::vector<double> values;
  double sum = 0;
  for (const ThroughputPoint& point : points) {
    if (point.type != SampleType::normal) continue;
    values.push_back(point.value);
    sum += point.value;
  }
  if (values.empty()) return stats;
  std::sort(values.begin(), values.end());
  const double mean = sum / static_cast<double>(values.size());
  const double median = percentile(values, 50);
  if (mean == 0 || median == 0) return stats;  // Rally takes 0 for missing
  stats.min = values.front();
  stats.mean = mean;
  stats.median = median;
  stats.max = values.back();
  return stats;
}

/// Everything that one pass over the samples yields.
struct Totals {
  std::vector<std::int64_t> latencies, service_times, processing_times;
  bool throttled = false;
  bool sorted = true;              // by begin
  Instant start = Instant::max();  // of the task: its first request, or when that was due
  double weight = 0;
  Instant first_begin = Instant::max(), last_received = Instant::min();  // normal samples
  Instant earliest = Instant::max(), latest = Instant::min(), last_sent = Instant::min();
  std::unordered_map<NameId, std::uint64_t> errors;
};

void add_normal(Totals& totals, TaskResult& result, const Sample& sample) {
  ++result.samples;
  result.failed += sample.ok ? 0 : 1;
  result.items_ok += sample.items_ok;
  result.items_failed += sample.items_failed;
  totals.weight += sample.weight;
  totals.throttled = totals.throttled || sample.throttled;
  totals.latencies.push_back(sample.latency().count());
  totals.service_times.push_back(sample.service_time().count());
  totals.processing_times.push_back(sample.processing_time().count());
  totals.first_begin = std::min(totals.first_begin, sample.begin);
  totals.last_received = std::max(totals.last_received, sample.received);
}

Totals total(std::span<const Sample> samples, TaskResult& result) {
  Totals totals;
  for (auto* list : {&totals.latencies, &totals.service_times, &totals.processing_times})
    list->reserve(samples.size());
  Instant before = Instant::min();
  for (const Sample& sample : samples) {
    totals.sorted = totals.sorted && before <= sample.begin;
    before = sample.begin;
    totals.start = std::min({totals.start, sample.begin, sample.throttled ? sample.due : sample.begin});
    result.attempts += sample.attempts;
    totals.earliest = std::min(totals.earliest, sample.begin);
    totals.latest = std::max(totals.latest, sample.end);
    totals.last_sent = std::max(totals.last_sent, sample.sent);
    if (!sample.ok) ++totals.errors[sample.error];
    if (sample.type == SampleType::normal)
      add_normal(totals, result, sample);
    else
      ++result.warmup_samples;
  }
  return totals;
}

std::vector<ErrorCount> error_counts(const std::unordered_map<NameId, std::uint64_t>& errors,
                                     const Names& names) {
  std::vector<ErrorCount> out;
  for (const auto& [name, count] : errors) out.push_back({std::string(names.text(name)), count});
  std::sort(out.begin(), out.end(), [](const ErrorCount& a, const ErrorCount& b) {
    return a.count != b.count ? a.count > b.count : a.text < b.text;
  });
  return out;
}

/// pacenote's own rates: what was sent over the time it took, without running averages.
void add_rates(TaskResult& result, const Totals& totals) {
  if (result.samples == 0 || totals.last_received <= totals.first_begin) return;
  const double rate = totals.weight / seconds(totals.last_received - totals.first_begin);
  result.overall_throughput = rate;
  const std::uint64_t items = result.items_ok + result.items_failed;
  if (items > 0)
    result.accepted_throughput = rate * static_cast<double>(result.items_ok) / static_cast<double>(items);
}

}  // namespace

TaskResult summarize(const Task& task, std::span<const Sample> samples, const Names& names) {
  TaskResult result;
  result.task = task.name;
  result.clients = task.clients;
  if (task.limits.warmup) result.warmup_s = seconds(*task.limits.warmup);
  result.operation = task.operation.name;
  result.operation_type = task.operation.type;
  if (!task.meta.empty()) result.meta = task.meta;
  result.include_in_reporting = task.include_in_reporting;
  if (samples.empty()) {
    result.state = TaskState::not_run;
    return result;
  }
  const Totals totals = total(samples, result);
  result.throughput = throughput_stats(throughput_points(samples, totals.start, totals.sorted), names);
  result.service_time = distribution(totals.service_times);
  result.latency = totals.throttled ? distribution(totals.latencies) : result.service_time;
  result.processing_time = distribution(totals.processing_times);
  if (result.samples > 0)
    result.error_rate = static_cast<double>(result.failed) / static_cast<double>(result.samples);
  result.include_in_reporting = result.include_in_reporting || result.error_rate > 0;
  result.duration_ms = static_cast<double>((totals.last_sent - totals.start).count()) / 1e6;
  result.elapsed_s = seconds(totals.latest - totals.earliest);
  result.errors = error_counts(totals.errors, names);
  add_rates(result, totals);
  return result;
}

}  // namespace pacenote
