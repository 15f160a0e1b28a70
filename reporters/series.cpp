#include "reporters/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reporters/quantity.hpp"

namespace pacenote::reporters {
namespace {

constexpr double kShortest = 0.1, kCurveStep = 0.1;

/// A stretch of the task's time while its samples come in.
struct SeriesBucket {
  double work = 0;
  std::uint64_t errors = 0;
  std::vector<std::int64_t> latencies;
};

/// From the first request's begin to the last answer.
struct Stretch {
  Instant first = Instant::max(), last = Instant::min();
  double length() const { return std::max(seconds(last - first), 1e-3); }
};

Stretch stretch_of(const SampleBlocks& samples) {
  Stretch out;
  samples([&](std::span<const Sample> block) {
    for (const Sample& sample : block) {
      out.first = std::min(out.first, sample.begin);
      out.last = std::max(out.last, sample.received);
    }
  });
  return out;
}

double value_at(const std::vector<std::int64_t>& sorted, double share) {
  const double rank = share * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(rank);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  const double fraction = rank - static_cast<double>(low);
  return (static_cast<double>(sorted[low]) * (1 - fraction) + static_cast<double>(sorted[high]) * fraction) /
         1e6;
}

std::vector<CurvePoint> curve_of(std::vector<std::int64_t> latencies,
                                 std::vector<std::int64_t> service_times) {
  std::vector<CurvePoint> out;
  if (latencies.empty()) return out;
  std::ranges::sort(latencies);
  std::ranges::sort(service_times);
  const double last = std::log10(static_cast<double>(latencies.size()));  // what lies beyond was not measured
  const auto add = [&](double nines, double share) {
    out.push_back({nines, value_at(latencies, share), value_at(service_times, share)});
  };
  for (int i = 0; i * kCurveStep < last; ++i) add(i * kCurveStep, 1 - std::pow(10, -i * kCurveStep));
  add(last, 1);
  return out;
}

SeriesPoint point_of(SeriesBucket& bucket, double middle_s, double width) {
  SeriesPoint point;
  point.at_s = middle_s;
  point.per_second = bucket.work / width;
  point.requests = bucket.latencies.size();
  point.errors = bucket.errors;
  point.p50_ms = percentile_ms(bucket.latencies, 50).value_or(0);
  point.p99_ms = percentile_ms(bucket.latencies, 99).value_or(0);
  point.max_ms = percentile_ms(bucket.latencies, 100).value_or(0);
  return point;
}

}  // namespace

TaskSeries task_series(std::string task, std::string unit, const SampleBlocks& samples, Instant epoch,
                       std::size_t most) {
  TaskSeries out{std::move(task), std::move(unit), 0, {}, {}};
  const Stretch time = stretch_of(samples);
  if (time.last < time.first) return out;
  out.start_s = seconds(time.first - epoch);
  const auto count = static_cast<std::size_t>(std::clamp(
      std::floor(time.length() / kShortest), 1.0, static_cast<double>(std::max<std::size_t>(most, 1))));
  const double width = time.length() / static_cast<double>(count);
  std::vector<SeriesBucket> buckets(count);
  const auto bucket = [&](Instant at) -> SeriesBucket& {
    return buckets[std::min(static_cast<std::size_t>(std::max(seconds(at - time.first), 0.0) / width),
                            count - 1)];
  };
  std::vector<std::int64_t> latencies, service_times;
  samples([&](std::span<const Sample> block) {
    for (const Sample& sample : block) {
      bucket(sample.received).work += sample.weight;
      bucket(sample.begin).errors += sample.ok ? 0 : 1;
      bucket(sample.begin).latencies.push_back(sample.latency().count());
      if (sample.type != SampleType::normal) continue;
      latencies.push_back(sample.latency().count());
      service_times.push_back(sample.service_time().count());
    }
  });
  for (std::size_t i = 0; i < count; ++i)
    out.points.push_back(point_of(buckets[i], out.start_s + (static_cast<double>(i) + 0.5) * width, width));
  out.curve = curve_of(std::move(latencies), std::move(service_times));
  return out;
}

std::vector<MetricSeries> metric_series(std::span<const Metric> metrics, Instant epoch, std::size_t most) {
  std::map<std::pair<std::string, std::string>, MetricSeries> found;
  const auto add = [&](const std::string& name, const std::string& unit, const Metric& metric, double value) {
    if (!std::isfinite(value)) return;
    MetricSeries& series = found[{name, metric.node}];
    series.name = name;
    series.unit = unit;
    series.node = metric.node;
    series.points.emplace_back(seconds(metric.at - epoch), value);
  };
  for (const Metric& metric : metrics) {
    if (metric.value) add(metric.name, metric.unit, metric, *metric.value);
    if (!metric.fields.is_object()) continue;
    for (const auto& [key, value] : metric.fields.items()) {
      if (key.ends_with("timestamp")) continue;  // when, not how much
      if (value.is_number()) add(fmt::format("{} {}", metric.name, key), "", metric, value.get<double>());
    }
  }
  std::vector<MetricSeries> out;
  for (auto& [key, series] : found) {
    std::ranges::sort(series.points);
    const auto [least, most_value] = std::ranges::minmax_element(
        series.points, {}, [](const std::pair<double, double>& point) { return point.second; });
    const bool moves = least->second < most_value->second;
    if (series.points.size() < 3 || !moves || series.points.back().first <= series.points.front().first)
      continue;
    const std::size_t step = (series.points.size() + most - 1) / std::max<std::size_t>(most, 1);
    std::vector<std::pair<double, double>> thinned;
    for (std::size_t i = 0; i < series.points.size(); i += std::max<std::size_t>(step, 1))
      thinned.push_back(series.points[i]);
    series.points = std::move(thinned);
    out.push_back(std::move(series));
  }
  return out;
}

}  // namespace pacenote::reporters
