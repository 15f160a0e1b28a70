#include "reporters/driver_notes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "reporters/numbers.hpp"
#include "reporters/quantity.hpp"

namespace pacenote::reporters {
namespace {

constexpr double kShortest_s = 0.5;
constexpr double kBusy = 0.85;       // from here on answers wait for the thread
constexpr double kStalled = 1. / 3;  // a shared machine in good order stays below a tenth
constexpr double kWaiting = 0.2;
constexpr double kReached = 0.98;
constexpr double kLate_ms = 10;
constexpr double kNear = 0.5;

long whole_percent(double share) { return std::lround(100 * share); }

void add_thread(const TaskResult& task, const DriverResult& driver, std::vector<std::string>& notes) {
  if (driver.cpu_share >= kBusy)
    notes.push_back(fmt::format(
        "{}: a driver thread was busy {} % of the time, so pacenote and not the cluster may have set "
        "the rate; give it more --driver-threads, or a machine of its own",
        task.task, whole_percent(driver.cpu_share)));
  else if (driver.stalled_share >= kStalled)
    notes.push_back(fmt::format(
        "{}: pacenote got no processor for {} % of the time, so this machine and not the cluster may "
        "have set the rate and the times; end other work on it, or lift its limit",
        task.task, whole_percent(driver.stalled_share)));
}

void add_waits(const TaskResult& task, const DriverResult& driver, std::vector<std::string>& notes) {
  if (driver.parameters_share >= kWaiting)
    notes.push_back(
        fmt::format("{}: clients spent {} % of their time waiting for documents or parameters, not for "
                    "the cluster; is the corpus on a slow disk?",
                    task.task, whole_percent(driver.parameters_share)));
  if (driver.connecting_share >= kWaiting)
    notes.push_back(
        fmt::format("{}: clients spent {} % of their time opening connections; does the cluster, or a "
                    "proxy, close them?",
                    task.task, whole_percent(driver.connecting_share)));
}

void add_limit(const TaskResult& task, std::vector<std::string>& notes) {
  if (task.of_calibrated.value_or(0) < kNear) return;
  notes.push_back(
      fmt::format("{}: its rate is {} % of what this machine can drive (pacenote calibrate), so it may say "
                  "more of pacenote than of the cluster",
                  task.task, whole_percent(*task.of_calibrated)));
}

/// What the clients can do one request after the other, each with the work that requests had.
std::optional<double> highest_rate(const TaskResult& task) {
  const auto mean = task.processing_time.mean ? task.processing_time.mean : task.service_time.mean;
  const auto requests = static_cast<double>(task.samples + task.warmup_samples);
  if (!mean || *mean <= 0 || !task.overall_throughput || requests == 0 || task.elapsed_s <= 0)
    return std::nullopt;
  const double work = *task.overall_throughput / (requests / task.elapsed_s);
  return task.clients * work / (*mean / 1e3);
}

std::string rate_text(double rate) {
  return rate < 100 ? fmt::format("{:.1f}", rate) : fmt::format("{:.0f}", rate);
}

/// 4987 -> 5000: what is said with "about".
double two_digits(double value) { return std::stod(fmt::format("{:.1e}", value)); }

void add_rate(const TaskResult& task, std::vector<std::string>& notes) {
  if (task.elapsed_s < kShortest_s) return;
  if (const std::string missed = missed_rate(task); !missed.empty())
    notes.push_back(fmt::format("task {}: {}", task.task, missed));
}

}  // namespace

std::vector<std::string> driver_notes(const Results& results) {
  std::vector<std::string> notes;
  for (const TaskResult& task : results.tasks) {
    if (task.elapsed_s < kShortest_s) continue;
    if (task.driver) {
      add_thread(task, *task.driver, notes);
      add_waits(task, *task.driver, notes);
    }
    add_rate(task, notes);
    if (task.driver) add_limit(task, notes);
  }
  return notes;
}

std::vector<std::string> missed_rates(const Results& results) {
  std::vector<std::string> notes;
  for (const TaskResult& task : results.tasks) add_rate(task, notes);
  return notes;
}

std::string missed_rate(const TaskResult& task) {
  const auto reached = Quantity::parse("rate_reached").of(task);
  if (!reached || *reached >= kReached || !task.target_throughput) return {};
  const double target = *task.target_throughput;
  const std::string unit = task.throughput.unit.empty() ? "requests/s" : task.throughput.unit;
  std::string out = fmt::format("{} of {:.4g} {} reached", rate_text(*reached * target), target, unit);
  // Late though the client was free: the driver's fault; late since its last request still ran: too few
  // clients for these answers.
  if (const double late = task.driver ? task.driver->late_p50_ms.value_or(0) : 0; late > kLate_ms)
    return out + fmt::format("; pacenote sent half of the requests more than {:.0f} ms late", late);
  if (task.latency.mean.value_or(0) > 2 * task.service_time.mean.value_or(0))
    out += "; latency is dominated by waiting";
  if (const auto highest = highest_rate(task); highest && *highest < target)
    out += fmt::format("; highest rate for {} client{} about {} {}", task.clients,
                       task.clients == 1 ? "" : "s", general(two_digits(*highest)), unit);
  return out;
}

}  // namespace pacenote::reporters
