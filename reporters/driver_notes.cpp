#include "reporters/driver_notes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace pacenote::reporters {
namespace {

constexpr double kShortest_s = 0.5;
constexpr double kBusy = 0.85;       // from here on answers wait for the thread
constexpr double kStalled = 1. / 3;  // a shared machine in good order stays below a tenth
constexpr double kWaiting = 0.2;
constexpr double kReached = 0.95;
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

/// Late though the client was free: the driver's fault; late since its last request still ran: too few
/// clients for these answers.
void add_rate(const TaskResult& task, const DriverResult& driver, std::vector<std::string>& notes) {
  if (!task.rate_reached || *task.rate_reached >= kReached) return;
  const bool driver_late = driver.late_p50_ms.value_or(0) > 10;
  notes.push_back(fmt::format(
      "{}: only {} % of the planned rate was reached; {}", task.task, whole_percent(*task.rate_reached),
      driver_late
          ? fmt::format("pacenote sent half of the requests more than {:.0f} ms late", *driver.late_p50_ms)
          : fmt::format("its {} client{} still waited for answers when requests were due", task.clients,
                        task.clients == 1 ? "" : "s")));
}

void add_limit(const TaskResult& task, std::vector<std::string>& notes) {
  if (task.of_calibrated.value_or(0) < kNear) return;
  notes.push_back(
      fmt::format("{}: its rate is {} % of what this machine can drive (pacenote calibrate), so it may say "
                  "more of pacenote than of the cluster",
                  task.task, whole_percent(*task.of_calibrated)));
}

}  // namespace

std::vector<std::string> driver_notes(const Results& results) {
  std::vector<std::string> notes;
  for (const TaskResult& task : results.tasks) {
    if (!task.driver || task.elapsed_s < kShortest_s) continue;
    add_thread(task, *task.driver, notes);
    add_waits(task, *task.driver, notes);
    add_rate(task, *task.driver, notes);
    add_limit(task, notes);
  }
  return notes;
}

}  // namespace pacenote::reporters
