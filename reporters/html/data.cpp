#include "reporters/html/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace pacenote::reporters {
namespace {

constexpr std::size_t kMostMetricNames = 24, kMetricPointsInAll = 6000;

/// Short numbers: charts have a few hundred pixels.
Json brief(double value) {
  if (!std::isfinite(value)) return nullptr;
  return parse_json(fmt::format("{:.5g}", value));
}

Json data_of(const TaskSeries& task, const Detail& detail) {
  Json out = {{"task", clipped(task.task, detail)}, {"unit", task.unit}, {"start", brief(task.start_s)}};
  for (const char* key : {"t", "rate", "p50", "p99", "nines", "latency", "service"}) out[key] = Json::array();
  const bool failed =
      std::ranges::any_of(task.points, [](const SeriesPoint& point) { return point.errors > 0; });
  if (failed) out["errors"] = Json::array();
  for (const SeriesPoint& point : task.points) {
    const bool any = point.requests > 0;
    out["t"].push_back(brief(point.at_s));
    out["rate"].push_back(brief(point.per_second));
    out["p50"].push_back(any ? brief(point.p50_ms) : Json());
    out["p99"].push_back(any ? brief(point.p99_ms) : Json());
    if (failed) out["errors"].push_back(point.errors);
  }
  const std::size_t step = task.curve.size() / detail.curve_points + 1;
  for (std::size_t i = 0; i < task.curve.size(); ++i) {
    if (i % step != 0 && i + 1 < task.curve.size()) continue;  // the last, the maximum, always stays
    out["nines"].push_back(brief(task.curve[i].nines));
    out["latency"].push_back(brief(task.curve[i].latency_ms));
    out["service"].push_back(brief(task.curve[i].service_time_ms));
  }
  return out;
}

Json data_of(const HtmlRace& race, const std::set<std::string>& shown_metrics, std::size_t metric_points,
             const Detail& detail) {
  Json out = {{"id", race.side.race.id}, {"tasks", Json::array()}, {"metrics", Json::array()}};
  for (const TaskSeries& task : race.tasks) {
    if (!task.points.empty() && out["tasks"].size() < detail.tasks)
      out["tasks"].push_back(data_of(task, detail));
  }
  for (const MetricSeries& series : race.metrics) {
    if (!shown_metrics.contains(series.name)) continue;
    Json one = {{"name", series.name}, {"unit", series.unit}, {"node", series.node}};
    one["t"] = one["v"] = Json::array();
    const std::size_t step = series.points.size() / std::max<std::size_t>(metric_points, 1) + 1;
    for (std::size_t i = 0; i < series.points.size(); i += step) {
      one["t"].push_back(brief(series.points[i].first));
      one["v"].push_back(brief(series.points[i].second));
    }
    out["metrics"].push_back(std::move(one));
  }
  return out;
}

Json all_data(const std::vector<HtmlRace>& races, const Detail& detail) {
  std::set<std::string> names;
  std::size_t series = 0;
  for (const HtmlRace& race : races) {
    for (const MetricSeries& metric : race.metrics) {
      if (names.size() < kMostMetricNames) names.insert(metric.name);
      series += names.contains(metric.name) ? 1 : 0;
    }
  }
  const std::size_t points = std::max<std::size_t>(kMetricPointsInAll / std::max<std::size_t>(series, 1), 10);
  Json out = {{"races", Json::array()}};
  for (const HtmlRace& race : races) out["races"].push_back(data_of(race, names, points, detail));
  return out;
}

}  // namespace

std::string html_data(const std::vector<HtmlRace>& races, const Detail& detail) {
  std::string out;
  for (const char c : all_data(races, detail).dump(-1, ' ', true, Json::error_handler_t::replace)) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace pacenote::reporters
