#include "core/results.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "core/error.hpp"

namespace pacenote {
namespace {

Json nullable(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
Json nullable(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::optional<double> number(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_number()) return std::nullopt;
  return it->get<double>();
}

std::string text(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::uint64_t count(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_number() ? it->get<std::uint64_t>() : 0;
}

const Json& child(const Json& object, const char* key) {
  static const Json none = Json::object();
  const auto it = object.find(key);
  return it != object.end() && it->is_object() ? *it : none;
}

/// 99.9 -> "99_9", 50 -> "50_0" (behaviour D.3).
std::string percentile_key(double p) {
  std::string key = p == std::floor(p) ? fmt::format("{:.1f}", p) : fmt::format("{}", p);
  if (const auto point = key.find('.'); point != std::string::npos) key[point] = '_';
  return key;
}

std::optional<double> percentile_of(std::string key) {
  if (const auto bar = key.find('_'); bar != std::string::npos) key[bar] = '.';
  char* end = nullptr;
  const double p = std::strtod(key.c_str(), &end);
  if (key.empty() || *end != '\0') return std::nullopt;
  return p;
}

Json to_json(const Distribution& distribution) {
  Json out = Json::object();
  for (const auto& [p, value] : distribution.percentiles) out[percentile_key(p)] = value;
  if (distribution.mean) out["mean"] = *distribution.mean;
  if (!out.empty()) out["unit"] = "ms";
  return out;
}

Distribution distribution_from(const Json& json) {
  Distribution out;
  for (const auto& [key, value] : json.items()) {
    const auto p = percentile_of(key);
    if (p && value.is_number()) out.percentiles.emplace_back(*p, value.get<double>());
  }
  out.mean = number(json, "mean");
  return out;
}

Json to_json(const std::optional<statistics::Interval>& interval) {
  return interval ? Json::array({interval->low, interval->high}) : Json(nullptr);
}

std::optional<statistics::Interval> interval_from(const Json& json) {
  if (!json.is_array() || json.size() != 2 || !json[0].is_number() || !json[1].is_number())
    return std::nullopt;
  return statistics::Interval{json[0].get<double>(), json[1].get<double>()};
}

/// Apart from the percentiles: their object is Rally's.
Json intervals_to_json(const Distribution& distribution) {
  Json out = Json::object();
  for (const auto& [p, interval] : distribution.intervals)
    out[percentile_key(p)] = Json::array({interval.low, interval.high});
  return out;
}

void read_intervals(const Json& json, Distribution& distribution) {
  for (const auto& [key, value] : json.items()) {
    const auto p = percentile_of(key);
    const auto interval = interval_from(value);
    if (p && interval) distribution.intervals.emplace_back(*p, *interval);
  }
}

struct TimeField {
  const char* name;
  Distribution TaskResult::*times;
  bool own;  ///< Rally has no such times
};
constexpr TimeField kTimes[] = {{"latency", &TaskResult::latency, false},
                                {"service_time", &TaskResult::service_time, false},
                                {"processing_time", &TaskResult::processing_time, false},
                                {"successful_service_time", &TaskResult::successful_service_time, true},
                                {"took", &TaskResult::took, true}};

Json to_json(const ThroughputStats& stats) {
  return {{"min", nullable(stats.min)},
          {"mean", nullable(stats.mean)},
          {"median", nullable(stats.median)},
          {"max", nullable(stats.max)},
          {"unit", nullable(stats.unit)}};
}

Json to_json(const DriverResult& driver) {
  return {{"cpu-share", driver.cpu_share},
          {"stalled-share", driver.stalled_share},
          {"parameters-share", driver.parameters_share},
          {"connecting-share", driver.connecting_share},
          {"late-p50-ms", nullable(driver.late_p50_ms)},
          {"late-p99-ms", nullable(driver.late_p99_ms)},
          {"late-max-ms", nullable(driver.late_max_ms)}};
}

DriverResult driver_from(const Json& json) {
  DriverResult out;
  out.cpu_share = number(json, "cpu-share").value_or(0);
  out.stalled_share = number(json, "stalled-share").value_or(0);
  out.parameters_share = number(json, "parameters-share").value_or(0);
  out.connecting_share = number(json, "connecting-share").value_or(0);
  out.late_p50_ms = number(json, "late-p50-ms");
  out.late_p99_ms = number(json, "late-p99-ms");
  out.late_max_ms = number(json, "late-max-ms");
  return out;
}

constexpr const char* kTaskStates[] = {"complete", "incomplete", "not-run"};

Json own_fields(const TaskResult& task) {
  Json out = {{"operation-type", task.operation_type},
              {"include-in-reporting", task.include_in_reporting},
              {"state", kTaskStates[static_cast<std::size_t>(task.state)]},
              {"samples", task.samples},
              {"warmup-samples", task.warmup_samples},
              {"failed", task.failed},
              {"attempts", task.attempts},
              {"items-ok", task.items_ok},
              {"items-failed", task.items_failed},
              {"overall-throughput", nullable(task.overall_throughput)},
              {"accepted-throughput", nullable(task.accepted_throughput)},
              {"overall-interval", to_json(task.overall_interval)},
              {"target-throughput", nullable(task.target_throughput)},
              {"elapsed-s", task.elapsed_s},
              {"clients", task.clients},
              {"warmup-s", nullable(task.warmup_s)},
              {"rate-reached", nullable(task.rate_reached)},
              {"of-calibrated", nullable(task.of_calibrated)},
              {"errors", Json::array()}};
  for (const ErrorCount& error : task.errors)
    out["errors"].push_back({{"text", error.text}, {"count", error.count}});
  if (task.driver) out["driver"] = to_json(*task.driver);
  out["intervals"] = Json::object();
  for (const TimeField& field : kTimes) {
    const Distribution& times = task.*field.times;
    if (field.own && times.mean) out[field.name] = to_json(times);
    if (!times.intervals.empty()) out["intervals"][field.name] = intervals_to_json(times);
  }
  return out;
}

void read_own_fields(const Json& json, TaskResult& task) {
  task.operation_type = text(json, "operation-type");
  task.include_in_reporting = json.value("include-in-reporting", true);
  for (const TaskState state : {TaskState::incomplete, TaskState::not_run}) {
    if (text(json, "state") == kTaskStates[static_cast<std::size_t>(state)]) task.state = state;
  }
  task.samples = count(json, "samples");
  task.warmup_samples = count(json, "warmup-samples");
  task.failed = count(json, "failed");
  task.attempts = count(json, "attempts");
  task.items_ok = count(json, "items-ok");
  task.items_failed = count(json, "items-failed");
  task.overall_throughput = number(json, "overall-throughput");
  task.accepted_throughput = number(json, "accepted-throughput");
  if (const auto interval = json.find("overall-interval"); interval != json.end())
    task.overall_interval = interval_from(*interval);
  task.target_throughput = number(json, "target-throughput");
  for (const TimeField& field : kTimes) {
    if (field.own) task.*field.times = distribution_from(child(json, field.name));
    read_intervals(child(child(json, "intervals"), field.name), task.*field.times);
  }
  task.elapsed_s = number(json, "elapsed-s").value_or(0);
  task.clients = static_cast<std::uint32_t>(count(json, "clients"));
  task.warmup_s = number(json, "warmup-s");
  task.rate_reached = number(json, "rate-reached");
  task.of_calibrated = number(json, "of-calibrated");
  if (const Json& driver = child(json, "driver"); !driver.empty()) task.driver = driver_from(driver);
  const auto errors = json.find("errors");
  if (errors == json.end() || !errors->is_array()) return;
  for (const Json& error : *errors) task.errors.push_back({text(error, "text"), count(error, "count")});
}

Json to_json(const TaskResult& task) {
  Json out = {{"task", task.task},
              {"operation", task.operation},
              {"throughput", to_json(task.throughput)},
              {"latency", to_json(task.latency)},
              {"service_time", to_json(task.service_time)},
              {"processing_time", to_json(task.processing_time)},
              {"error_rate", task.error_rate},
              {"duration", task.duration_ms}};
  if (!task.meta.is_null()) out["meta"] = task.meta;
  out["pacenote"] = own_fields(task);
  return out;
}

TaskResult task_from(const Json& json) {
  TaskResult task;
  task.operation = text(json, "operation");
  task.task = json.contains("task") ? text(json, "task") : task.operation;  // as races of old Rallys have it
  const Json& throughput = child(json, "throughput");
  task.throughput = {number(throughput, "min"), number(throughput, "mean"), number(throughput, "median"),
                     number(throughput, "max"), text(throughput, "unit")};
  task.latency = distribution_from(child(json, "latency"));
  task.service_time = distribution_from(child(json, "service_time"));
  task.processing_time = distribution_from(child(json, "processing_time"));
  task.error_rate = number(json, "error_rate").value_or(0);
  task.duration_ms = number(json, "duration").value_or(0);
  if (const auto meta = json.find("meta"); meta != json.end()) task.meta = *meta;
  read_own_fields(child(json, "pacenote"), task);
  return task;
}

}  // namespace

Json to_json(const Results& results) {
  Json out = {{"op_metrics", Json::array()}};
  for (const TaskResult& task : results.tasks) out["op_metrics"].push_back(to_json(task));
  for (const auto& [key, value] : results.cluster.items()) out[key] = value;
  return out;
}

Results results_from_json(const Json& json) {
  if (!json.is_object())
    throw UserError("race results are not a JSON object",
                    "is this a race.json of Rally or of export --format=rally?");
  Results results;
  for (const auto& [key, value] : json.items()) {
    if (key != "op_metrics") {
      results.cluster[key] = value;
    } else if (value.is_array()) {
      for (const Json& task : value) results.tasks.push_back(task_from(task));
    }
  }
  return results;
}

}  // namespace pacenote
