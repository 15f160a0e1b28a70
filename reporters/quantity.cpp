#include "reporters/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/error.hpp"
#include "core/suggest.hpp"
#include "core/text.hpp"
#include "reporters/numbers.hpp"

namespace pacenote::reporters {
namespace {

constexpr std::array<std::string_view, 4> kTimesNames = {"latency", "service_time", "processing_time",
                                                         "took"};

std::optional<double> ratio(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// Imported races have Rally's running mean only.
std::optional<double> throughput(const TaskResult& task) {
  return task.overall_throughput ? task.overall_throughput : task.throughput.mean;
}

/// By when requests were due, as far as that is known.
std::optional<double> rate_reached(const TaskResult& task) {
  if (task.rate_reached) return task.rate_reached;
  const auto rate = throughput(task);
  if (!rate || !task.target_throughput || *task.target_throughput <= 0) return std::nullopt;
  return *rate / *task.target_throughput;
}

std::uint64_t requests(const TaskResult& task) { return task.samples + task.warmup_samples; }

/// None where all requests were warm-up. Imported races do not tell how many there were.
std::optional<double> error_rate(const TaskResult& task) {
  if (task.samples == 0 && task.warmup_samples > 0) return std::nullopt;
  return task.error_rate;
}

constexpr PlainQuantity kPlain[] = {
    {"throughput", Dimension::rate, true, throughput},
    {"accepted_throughput", Dimension::rate, true, [](const TaskResult& t) { return t.accepted_throughput; }},
    {"min throughput", Dimension::rate, true, [](const TaskResult& t) { return t.throughput.min; }},
    {"mean throughput", Dimension::rate, true, [](const TaskResult& t) { return t.throughput.mean; }},
    {"median throughput", Dimension::rate, true, [](const TaskResult& t) { return t.throughput.median; }},
    {"max throughput", Dimension::rate, true, [](const TaskResult& t) { return t.throughput.max; }},
    {"rate_reached", Dimension::ratio, true, rate_reached},
    {"error_rate", Dimension::ratio, false, error_rate},
    {"document_error_rate", Dimension::ratio, false,
     [](const TaskResult& t) { return ratio(t.items_failed, t.items_ok + t.items_failed); }},
    {"failed_requests", Dimension::count, false,
     [](const TaskResult& t) { return std::optional(static_cast<double>(t.failed)); }},
    {"retries", Dimension::count, false,
     [](const TaskResult& t) {
       return std::optional(t.attempts > requests(t) ? static_cast<double>(t.attempts - requests(t)) : 0.0);
     }},
    {"samples", Dimension::count, true,
     [](const TaskResult& t) { return std::optional(static_cast<double>(t.samples)); }},
};

/// "p99.9", "99.9", "99th" -> 99.9.
std::optional<double> percentile_from(std::string_view word) {
  if (word == "median") return 50;
  if (word == "max") return 100;
  if (word.starts_with('p')) word.remove_prefix(1);
  if (word.ends_with("th")) word.remove_suffix(2);
  double p = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), p);
  if (error != std::errc() || end != word.data() + word.size() || !(p > 0 && p <= 100)) return std::nullopt;
  constexpr double kFinest = 99.999'999;  // a hundred million requests; beyond, no race would ever have it
  if (p > kFinest && p < 100) return std::nullopt;
  return p;
}

std::string one_spaced(std::string_view text) {
  std::string out;
  for (const char c : trimmed(text)) {
    const bool blank = c == ' ' || c == '\t';
    if (blank && out.ends_with(' ')) continue;
    out += blank ? ' ' : c;
  }
  return lower_case(out);
}

std::string names_near(const std::string& name) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> near = nearest_first(name, Quantity::names());
  near.resize(std::min(near.size(), kMost));
  return fmt::format("nearest: {}; `pacenote list metrics` shows all", fmt::join(near, ", "));
}

constexpr double kErrorsInInterval = 2 * 1.96;  // width of a 95 % interval in standard errors

}  // namespace

Quantity Quantity::parse(std::string_view text) {
  const std::string name = one_spaced(text);
  for (const PlainQuantity& plain : kPlain) {
    if (plain.name == name) return {&plain, Times::latency, -1};
  }
  if (const auto blank = name.find(' '); blank != std::string::npos) {
    std::string kind = name.substr(blank + 1);
    std::replace(kind.begin(), kind.end(), ' ', '_');
    const auto at = std::find(kTimesNames.begin(), kTimesNames.end(), kind);
    const std::string which = name.substr(0, blank);
    const auto p = percentile_from(which);
    if (at != kTimesNames.end() && (p || which == "mean"))
      return {nullptr, static_cast<Times>(at - kTimesNames.begin()), p.value_or(-1)};
  }
  if (const ClusterQuantity* of_cluster = cluster_quantity(name)) return Quantity(*of_cluster);
  throw UserError(fmt::format("there is no metric [{}]", name), names_near(name), ExitCode::usage);
}

std::vector<std::string> Quantity::names() {
  std::vector<std::string> out;
  for (const PlainQuantity& plain : kPlain) out.emplace_back(plain.name);
  for (const std::string_view times : kTimesNames) {
    for (const std::string_view which : {"p50", "p99", "p99.9", "mean", "max"})
      out.push_back(fmt::format("{} {}", which, times));
  }
  for (const ClusterQuantity& quantity : cluster_quantities()) out.push_back(quantity.name);
  return out;
}

Dimension Quantity::dimension() const {
  if (plain_ != nullptr) return plain_->dimension;
  if (cluster_ == nullptr) return Dimension::ms;
  switch (cluster_->scale) {
    case Scale::ms_to_min:
    case Scale::ms_to_s:
      return Dimension::ms;
    case Scale::none:
    case Scale::percent:
      return Dimension::count;
    default:
      return Dimension::bytes;
  }
}

double Quantity::shown(double value) const {
  if (cluster_ != nullptr) return as_double(scaled(value, cluster_->scale));
  return dimension() == Dimension::ratio ? value * 100 : value;
}

std::string Quantity::name() const {
  if (plain_ != nullptr) return std::string(plain_->name);
  if (cluster_ != nullptr) return cluster_->name;
  const std::string_view times = kTimesNames.at(static_cast<std::size_t>(times_));
  if (percentile_ == 100) return fmt::format("max {}", times);
  return percentile_ < 0 ? fmt::format("mean {}", times) : fmt::format("p{} {}", percentile_, times);
}

std::string Quantity::unit(const TaskResult& task) const {
  if (cluster_ != nullptr) return cluster_->unit;
  switch (dimension()) {
    case Dimension::rate:
      return task.throughput.unit;
    case Dimension::ratio:
      return "%";
    case Dimension::ms:
      return "ms";
    case Dimension::count:
    case Dimension::bytes:
      break;
  }
  return {};
}

std::optional<double> Quantity::percentile() const {
  if (plain_ != nullptr || percentile_ < 0) return std::nullopt;
  return percentile_;
}

std::optional<double> Quantity::of(const Results& results) const {
  return cluster_ != nullptr ? value_of(*cluster_, results.cluster) : std::nullopt;
}

std::optional<double> Quantity::of(const TaskResult& task) const {
  if (plain_ != nullptr) return plain_->of(task);
  if (cluster_ != nullptr) return std::nullopt;
  const Distribution& times = times_of(task, times_);
  if (percentile_ < 0) return times.mean;
  for (const auto& [p, value] : times.percentiles) {
    if (p == percentile_) return value;
  }
  return std::nullopt;
}

std::optional<double> Quantity::of(const std::string& race, const Results& results, std::size_t task,
                                   const SampleTimes& samples) const {
  const TaskResult& result = results.tasks[task];
  if (const auto value = of(result)) return value;
  // A percentile that the number of samples does not support is not made up from them.
  if (!percentile() || !samples || static_cast<double>(result.samples) * (100 - percentile_) < 100) return {};
  std::vector<std::int64_t> values = samples(race, task, times_);
  return percentile_ms(values, percentile_);
}

std::optional<double> Quantity::error_of(const TaskResult& task) const {
  if (plain_ != nullptr) {
    if (plain_->name != "throughput" || !task.overall_interval) return std::nullopt;
    return (task.overall_interval->high - task.overall_interval->low) / kErrorsInInterval;
  }
  for (const auto& [p, interval] : times_of(task, times_).intervals) {
    if (p == percentile_) return (interval.high - interval.low) / kErrorsInInterval;
  }
  return std::nullopt;
}

const Distribution& times_of(const TaskResult& task, Times times) {
  switch (times) {
    case Times::service_time:
      return task.service_time;
    case Times::processing_time:
      return task.processing_time;
    case Times::took:
      return task.took;
    case Times::latency:
      break;
  }
  return task.latency;
}

std::optional<double> percentile_ms(std::vector<std::int64_t>& values, double p) {
  if (values.empty()) return std::nullopt;
  const double rank = p / 100 * static_cast<double>(values.size() - 1);
  const auto lower = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), lower, values.end());
  const auto low = static_cast<double>(*lower);
  const double fraction = rank - std::floor(rank);
  const double high = fraction > 0 ? static_cast<double>(*std::min_element(lower + 1, values.end())) : low;
  return (low + (high - low) * fraction) / 1e6;
}

std::optional<std::size_t> reported_task(const Results& results, std::string_view name) {
  for (std::size_t i = 0; i < results.tasks.size(); ++i) {
    const TaskResult& task = results.tasks[i];
    if (task.task == name && task.include_in_reporting && task.state != TaskState::not_run) return i;
  }
  return std::nullopt;
}

}  // namespace pacenote::reporters
