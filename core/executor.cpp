#include "core/executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/measured.hpp"
#include "core/pace.hpp"

namespace pacenote {

void SampleBuffer::add(const Sample& sample, Instant now) {
  if (samples_.empty()) {
    samples_.reserve(capacity_);
    oldest_ = now;
  }
  samples_.push_back(sample);
  if (samples_.size() == capacity_ || now - oldest_ > std::chrono::seconds(1)) flush();
}

void SampleBuffer::flush() {
  if (samples_.empty()) return;
  if (samples_.size() < capacity_ / 2) {
    sink_.add(std::vector<Sample>(samples_));  // a short task's few samples do not hold memory for many
  } else {
    sink_.add(std::move(samples_));
  }
  samples_.clear();
}

namespace {

/// The state of one client in one task, between its requests.
class Client {
 public:
  Client(Lane& lane, Driver& driver, const Assignment& assignment, Instant start)
      : lane_(lane),
        driver_(driver),
        assignment_(assignment),
        task_(*assignment.task),
        pace_(task_.limits, start, driver.source.progress() || driver.runner.progress()) {}

  /// What was asked from outside; a task that completes its parallel does not stop itself.
  bool stopped() const {
    const StopReason reason = lane_.stop.reason();
    if (reason == StopReason::completed) return !task_.completes_parent;
    return reason != StopReason::none;
  }

  /// `now`: the time at which the client is free.
  Async<Supply> supply(Instant now) {
    Supply supply = driver_.source.next(call_);
    while (supply == Supply::later && !stopped()) {
      co_await driver_.source.refill();
      supply = driver_.source.next(call_);
    }
    free_ = lane_.clock.now();
    driver_.cost.parameters += free_ - now;
    co_return supply;
  }

  Async<void> request(Instant now, std::optional<Instant> due) {
    Sample sample;
    sample.task = assignment_.index;
    sample.client = driver_.client;
    sample.type = pace_.type(now);
    sample.throttled = due.has_value();
    sample.begin = lane_.clock.now();
    sample.due = due.value_or(sample.begin);
    if (due) driver_.cost.late.add(sample.begin - std::max(*due, free_));
    Measured cluster(driver_.cluster, call_.options);
    Bench bench{cluster, lane_.clock, lane_.stop, lane_.notes, task_.name};
    const Outcome outcome = co_await driver_.runner.run(bench, call_);
    sample.end = lane_.clock.now();
    pace_.request_done();
    driver_.cost.connecting += cluster.connecting;
    if (cluster.failure == Failure::interrupted) co_return;  // cut off: says nothing about the cluster
    note_wire(cluster, sample);
    note_outcome(outcome, sample);
    lane_.samples.add(sample, sample.end);
    report(outcome, sample.end);
    if (!outcome.ok) on_failure(outcome, cluster.failure);
    driver_.schedule.on_result(outcome.weight);
  }

  bool done() const {
    const auto progress = driver_.runner.progress();
    return progress && *progress >= 1;
  }
  const Pace& pace() const { return pace_; }

 private:
  void note_wire(const Measured& cluster, Sample& sample) const {
    const bool used = cluster.used();
    sample.sent = used ? cluster.sent : sample.begin;
    sample.first_byte = used ? cluster.first_byte : sample.end;
    sample.received = used ? cluster.received : sample.end;
    sample.reused = cluster.reused;
    sample.attempts = static_cast<std::uint16_t>(std::min<std::uint32_t>(cluster.attempts, UINT16_MAX));
    sample.bytes_out = cluster.bytes_out;
    sample.bytes_in = cluster.bytes_in;
    sample.status = static_cast<std::int16_t>(cluster.status);
  }

  void note_outcome(const Outcome& outcome, Sample& sample) {
    if (outcome.weight.unit != unit_text_) {  // by text: the view may lie in the runner and change there
      unit_ = lane_.names.id(outcome.weight.unit);
      unit_text_ = lane_.names.text(unit_);
    }
    sample.ok = outcome.ok;
    sample.weight = outcome.weight.amount;
    sample.unit = unit_;
    if (outcome.status != 0) sample.status = static_cast<std::int16_t>(outcome.status);
    sample.took_ms = outcome.took_ms.value_or(-1);
    sample.items_ok = outcome.items_ok;
    sample.items_failed = outcome.items_failed;
    sample.throughput = outcome.throughput.value_or(-1);
    if (!outcome.ok) sample.error = lane_.names.id(fmt::format("{}: {}", outcome.error_type, outcome.error));
    if (!outcome.meta.is_null()) sample.meta = lane_.names.id(to_text(outcome.meta));
  }

  void report(const Outcome& outcome, Instant now) {
    TaskProgress& progress = driver_.progress;
    progress.requests.fetch_add(1, std::memory_order_relaxed);
    progress.last.store(now, std::memory_order_relaxed);
    if (outcome.ok || outcome.weight.amount > 0)
      progress.amount.fetch_add(outcome.weight.amount, std::memory_order_relaxed);
    if (outcome.ok || outcome.weight.amount > 0)  // a request that failed counts as an op
      progress.unit.store(unit_text_.empty() ? "ops" : unit_text_.data(), std::memory_order_relaxed);
    std::optional<double> fraction = driver_.runner.progress();
    if (!fraction || *fraction == 0) fraction = pace_.progress(now);
    if (!fraction) fraction = driver_.source.progress();
    if (fraction) progress.fraction.store(*fraction, std::memory_order_relaxed);
  }

  /// Rally's rules for when a failed request ends the race (behaviour C.6).
  void on_failure(const Outcome& outcome, Failure failure) {
    driver_.progress.failed.fetch_add(1, std::memory_order_relaxed);
    lane_.errors.failed(task_.name, outcome);
    const bool unreachable = failure == Failure::connection && lane_.on_error != OnError::continue_on_network;
    const bool abort = lane_.on_error == OnError::abort && !task_.errors_non_fatal;
    if (!unreachable && !abort && !outcome.fatal) return;
    const std::string status = outcome.status == 0 ? "" : fmt::format(" (HTTP status {})", outcome.status);
    lane_.stop.fail(fmt::format("task [{}]: request failed: {}: {}{}", task_.name, outcome.error_type,
                                outcome.error, status));
  }

  Lane& lane_;
  Driver& driver_;
  const Assignment& assignment_;
  const Task& task_;
  Pace pace_;
  Call call_;
  Instant free_{};              // since when the client could have sent
  std::string_view unit_text_;  // in Names
  NameId unit_{};
};

Duration ramp_up_wait(const Assignment& assignment) {
  const auto& ramp_up = assignment.task->limits.ramp_up;
  if (!ramp_up || assignment.clients_in_step == 0) return Duration::zero();
  return *ramp_up * assignment.client_in_step / assignment.clients_in_step;
}

}  // namespace

Async<void> execute(Lane& lane, Driver& driver, const Assignment& assignment) {
  const Instant start = lane.clock.now();
  // The schedule begins after the ramp-up wait: Rally's begins before it and fires the missed slots as a
  // burst.
  const Instant origin = start + ramp_up_wait(assignment);
  if (origin > start) co_await lane.clock.sleep_until(origin);
  Client client(lane, driver, assignment, start);
  for (Instant now = lane.clock.now(); client.pace().goes_on(now) && !client.stopped();
       now = lane.clock.now()) {
    const Supply supply = co_await client.supply(now);
    if (supply != Supply::ready) break;
    const Duration offset = driver.schedule.next();
    std::optional<Instant> due;
    if (offset > Duration::zero()) {
      due = origin + offset;
      co_await lane.clock.sleep_until(*due);
      if (client.stopped()) break;
    }
    co_await client.request(now, due);
    if (client.done()) break;
  }
}

}  // namespace pacenote
