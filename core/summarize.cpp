#include "core/summarize.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/brief_samples.hpp"
#include "core/own_figures.hpp"
#include "core/percentile.hpp"
#include "core/throughput.hpp"

namespace pacenote {
namespace {

/// Gives samples to the throughput in order of begin, those of equal begin in the order in which they came.
/// They come by driver thread and in order of their end, so with many clients they rarely are in that order;
/// but no later block begins before `later_begins` says, so few have to wait.
class InOrder {
 public:
  /// `block_begins`: for each block to come the earliest begin in it. `start`: of the task.
  InOrder(std::vector<Instant> block_begins, Instant start)
      : later_begins_(std::move(block_begins)), start_(start) {
    for (std::size_t i = later_begins_.size(); i-- > 1;)
      later_begins_[i - 1] = std::min(later_begins_[i - 1], later_begins_[i]);
    later_begins_.push_back(Instant::max());
  }
  void add(std::span<const Sample> block) {
    auto position = static_cast<std::uint32_t>(waiting_.size());
    for (const Sample& sample : block) order_.push_back({sample.begin, position++});
    const Instant limit = later_begins_[++block_];
    // Where many have to wait they are put in order now and then, not with each block.
    const bool last = block_ + 1 == later_begins_.size();
    if (!last && order_.size() - ordered_ < ordered_ / 2) {
      for (const Sample& sample : block) waiting_.push_back(throughput_sample(sample, start_));
      return;
    }
    const auto old_end = order_.begin() + static_cast<std::ptrdiff_t>(ordered_);
    std::sort(old_end, order_.end());
    std::inplace_merge(order_.begin(), old_end, order_.end());
    std::size_t done = 0;
    while (done < order_.size() && order_[done].begin <= limit)
      calculator_.add(at(order_[done++].position, block));
    forget(done, block);
  }
  std::vector<ThroughputPoint> points() { return calculator_.end_call(); }

 private:
  struct Place {
    Instant begin;
    std::uint32_t position;  ///< in waiting_, or behind it in the block that comes
    bool operator<(const Place& other) const {
      return begin < other.begin || (begin == other.begin && position < other.position);
    }
  };
  ThroughputSample at(std::uint32_t position, std::span<const Sample> block) const {
    if (position < waiting_.size()) return waiting_[position];
    return throughput_sample(block[position - waiting_.size()], start_);
  }
  /// The first so many in order are done; the others wait on, in their order.
  void forget(std::size_t done, std::span<const Sample> block) {
    rest_.clear();
    ordered_ = order_.size() - done;
    for (std::size_t i = 0; i < ordered_; ++i) {
      rest_.push_back(at(order_[done + i].position, block));
      order_[i] = {order_[done + i].begin, static_cast<std::uint32_t>(i)};
    }
    order_.resize(ordered_);
    waiting_.swap(rest_);
  }

  std::vector<Instant> later_begins_;  // of this block and all that follow it
  Instant start_;
  std::size_t block_ = 0;
  std::vector<ThroughputSample> waiting_, rest_;
  std::vector<Place> order_;
  std::size_t ordered_ = 0;  // as many of them, from the first on, are in order
  ThroughputCalculator calculator_;
};

ThroughputStats throughput_stats(const std::vector<ThroughputPoint>& points, const Names& names) {
  ThroughputStats stats;
  if (points.empty()) return stats;
  // Requests that failed count as ops (as in Rally), whatever the task's unit is.
  const auto of_success = std::ranges::find_if(
      points, [&](const ThroughputPoint& point) { return names.text(point.unit) != "ops"; });
  stats.unit =
      std::string(names.text((of_success == points.end() ? points.front() : *of_success).unit)) + "/s";
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

constexpr std::int64_t kNanosOfAMilli = 1'000'000;

/// Everything that one pass over the samples yields.
struct Totals {
  TwoLooks latency, service_time, processing_time;
  TwoLooks successful;  // service times, once a request has failed
  std::unordered_map<std::int64_t, std::uint64_t> took_ms;
  BriefSamples brief;
  std::vector<Instant> block_begins;  // the earliest begin of each block
  bool throttled = false;
  Instant start = Instant::max();  // of the task: its first request, or when that was due
  Instant earliest = Instant::max(), latest = Instant::min(), last_sent = Instant::min();
  Instant first_due = Instant::max(), last_due = Instant::min();  // throttled samples of any type
  Instant first_start = Instant::max(), last_start = Instant::min();
  Work work;
  std::unordered_map<NameId, std::uint64_t> errors;
};

void add_throttled(Totals& totals, const Sample& sample) {
  totals.first_due = std::min(totals.first_due, sample.due);
  totals.last_due = std::max(totals.last_due, sample.due);
  totals.first_start = std::min(totals.first_start, sample.begin);
  totals.last_start = std::max(totals.last_start, sample.begin);
}

/// The time that the schedule planned for the requests, of the time that they took to begin.
std::optional<double> rate_reached(const Totals& totals) {
  if (totals.last_due <= totals.first_due || totals.last_start <= totals.first_start) return std::nullopt;
  return std::min(
      1.0, seconds(totals.last_due - totals.first_due) / seconds(totals.last_start - totals.first_start));
}

void add_normal(Totals& totals, TaskResult& result, const Sample& sample) {
  ++result.samples;
  totals.work.add(sample);
  result.failed += sample.ok ? 0 : 1;
  result.items_ok += sample.items_ok;
  result.items_failed += sample.items_failed;
  totals.throttled = totals.throttled || sample.throttled;
  // All before the first failure were successful.
  if (result.failed == 1 && !sample.ok) totals.successful = totals.service_time;
  if (result.failed > 0 && sample.ok) totals.successful.count(sample.service_time().count());
  totals.latency.count(sample.latency().count());
  totals.service_time.count(sample.service_time().count());
  totals.processing_time.count(sample.processing_time().count());
  if (sample.took_ms >= 0) ++totals.took_ms[sample.took_ms];
}

void add_block(Totals& totals, TaskResult& result, std::span<const Sample> block) {
  if (block.empty()) return;
  totals.brief.add(block);
  totals.block_begins.push_back(Instant::max());
  for (const Sample& sample : block) {
    totals.block_begins.back() = std::min(totals.block_begins.back(), sample.begin);
    totals.start = std::min({totals.start, sample.begin, sample.throttled ? sample.due : sample.begin});
    result.attempts += sample.attempts;
    totals.earliest = std::min(totals.earliest, sample.begin);
    totals.latest = std::max(totals.latest, sample.end);
    totals.last_sent = std::max(totals.last_sent, sample.sent);
    if (!sample.ok) ++totals.errors[sample.error];
    if (sample.throttled) add_throttled(totals, sample);
    if (sample.type == SampleType::normal)
      add_normal(totals, result, sample);
    else
      ++result.warmup_samples;
  }
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

void look_again(Totals& totals, BlockRates& rates, const TaskResult& result, const Sample& sample) {
  rates.add(sample);
  const std::int64_t service_time = sample.service_time().count();
  if (totals.throttled) totals.latency.collect(sample.latency().count());
  totals.service_time.collect(service_time);
  totals.processing_time.collect(sample.processing_time().count());
  if (result.failed > 0 && sample.ok) totals.successful.collect(service_time);
}

Distribution took(const Totals& totals) {
  std::map<std::int64_t, std::uint64_t> nanoseconds;
  for (const auto& [milliseconds, count] : totals.took_ms) nanoseconds[milliseconds * kNanosOfAMilli] = count;
  return distribution(nanoseconds);
}

}  // namespace

TaskResult summarize(const Task& task, const SampleBlocks& blocks, const Names& names) {
  TaskResult result;
  result.task = task.name;
  result.clients = task.clients;
  if (task.limits.warmup) result.warmup_s = seconds(*task.limits.warmup);
  result.operation = task.operation.name;
  result.operation_type = task.operation.type;
  if (!task.meta.empty()) result.meta = task.meta;
  result.include_in_reporting = task.include_in_reporting;
  Totals totals;
  blocks([&](std::span<const Sample> block) { add_block(totals, result, block); });
  if (result.samples + result.warmup_samples == 0) {
    result.state = TaskState::not_run;
    return result;
  }
  if (result.samples > 0)
    result.error_rate = static_cast<double>(result.failed) / static_cast<double>(result.samples);
  result.include_in_reporting = result.include_in_reporting || result.error_rate > 0;
  result.duration_ms = static_cast<double>((totals.last_sent - totals.start).count()) / 1e6;
  result.elapsed_s = seconds(totals.latest - totals.earliest);
  result.rate_reached = rate_reached(totals);
  result.errors = error_counts(totals.errors, names);
  InOrder in_order(std::move(totals.block_begins), totals.start);
  BlockRates rates(totals.work);
  for (TwoLooks* times : {&totals.latency, &totals.service_time, &totals.processing_time, &totals.successful})
    times->all_are_counted();
  totals.brief.each([&](std::span<const Sample> block) {
    in_order.add(block);
    for (const Sample& sample : block)
      if (sample.type == SampleType::normal) look_again(totals, rates, result, sample);
  });
  result.throughput = throughput_stats(in_order.points(), names);
  add_own_figures(task, totals.work, rates, result);
  result.service_time = totals.service_time.result();
  result.latency = totals.throttled ? totals.latency.result() : result.service_time;
  result.processing_time = totals.processing_time.result();
  result.successful_service_time = totals.successful.result();
  result.took = took(totals);
  return result;
}

TaskResult summarize(const Task& task, std::span<const Sample> samples, const Names& names) {
  return summarize(
      task, [&](const std::function<void(std::span<const Sample>)>& use) { use(samples); }, names);
}

}  // namespace pacenote
