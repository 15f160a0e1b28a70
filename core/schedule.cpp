#include "core/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/random.hpp"

namespace pacenote {
namespace {

class Unthrottled final : public Schedule {
 public:
  Duration next() override { return Duration::zero(); }
};

class UnitAware final : public Schedule {
 public:
  UnitAware(const Task& task, std::function<double()> gaps) : task_(task), gaps_(std::move(gaps)) {}

  Duration next() override {
    if (rate_ == 0) return Duration::zero();
    due_s_ += gaps_() / rate_;
    return std::max(Duration(1), from_seconds(due_s_));  // however high the rate, it stays a throttled one
  }

  void on_result(Weight weight) override {
    if (weight.amount <= 0 || weight.amount == weight_) return;
    weight_ = weight.amount;
    double amount = weight.amount;
    if (weight.unit != task_.target->unit) {
      if (task_.target->unit != "ops")
        throw UserError(fmt::format("task [{}] has a target-throughput in {}/s, but its operation counts {}",
                                    task_.name, task_.target->unit, weight.unit),
                        fmt::format("give the target as a number of requests, or in {}/s", weight.unit));
      amount = 1;  // a plain number means requests
    }
    rate_ = task_.target->per_second / task_.clients / amount;
  }

 private:
  const Task& task_;
  std::function<double()> gaps_;
  double rate_ = 0;  // requests of this client per second
  double weight_ = 0;
  double due_s_ = 0;
};

std::unique_ptr<Schedule> deterministic(const Task& task, std::uint32_t) {
  return unit_aware(task, [] { return 1.0; });
}

/// Independent arrivals: exponential gaps, the same in each race of the same task.
std::unique_ptr<Schedule> poisson(const Task& task, std::uint32_t client) {
  return unit_aware(
      task, [random = Random(seed_of(task.name, client))]() mutable { return -std::log1p(-random.unit()); });
}

}  // namespace

std::unique_ptr<Schedule> unit_aware(const Task& task, std::function<double()> gaps) {
  return std::make_unique<UnitAware>(task, std::move(gaps));
}

std::unique_ptr<Schedule> make_schedule(const Task& task, std::uint32_t client) {
  const ScheduleType& type = Registry<ScheduleType>::get("schedule", task.schedule);
  const bool simple = task.schedule == "deterministic" || task.schedule == "poisson";
  if (simple && !task.target) return std::make_unique<Unthrottled>();
  return type.make(task, client);
}

namespace {
const Registered<ScheduleType> registered_deterministic{"deterministic", {deterministic}};
const Registered<ScheduleType> registered_poisson{"poisson", {poisson}};
}  // namespace

}  // namespace pacenote
