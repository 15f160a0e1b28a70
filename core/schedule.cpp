#include "core/schedule.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/random.hpp"

namespace pacenote {
namespace {

class Unthrottled final : public Schedule {
 public:
  Duration next() override { return Duration::zero(); }
};

/// Gap between two requests of one client, in units of 1/rate.
class Gaps {
 public:
  virtual ~Gaps() = default;
  virtual double next() = 0;
};

class Even final : public Gaps {
 public:
  double next() override { return 1; }
};

/// Independent arrivals: exponential gaps (a Poisson process), reproducible by seed.
class Exponential final : public Gaps {
 public:
  explicit Exponential(std::uint64_t seed) : random_(seed) {}
  double next() override { return -std::log1p(-random_.unit()); }

 private:
  Random random_;
};

/// Turns a target in docs/s, pages/s, … into a request rate by what the last request was worth. The first request
/// goes out at once and unthrottled, since nobody knows its weight (rally scheduler.py:266, behaviour C.4).
class UnitAware final : public Schedule {
 public:
  UnitAware(const Task& task, std::unique_ptr<Gaps> gaps) : task_(task), gaps_(std::move(gaps)) {}

  Duration next() override {
    if (rate_ == 0) return Duration::zero();
    due_s_ += gaps_->next() / rate_;
    return from_seconds(due_s_);
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
  std::unique_ptr<Gaps> gaps_;
  double rate_ = 0;  // requests of this client per second
  double weight_ = 0;
  double due_s_ = 0;
};

std::unique_ptr<Schedule> deterministic(const Task& task, std::uint32_t) {
  return std::make_unique<UnitAware>(task, std::make_unique<Even>());
}

std::unique_ptr<Schedule> poisson(const Task& task, std::uint32_t client) {
  return std::make_unique<UnitAware>(task, std::make_unique<Exponential>(seed_of(task.name, client)));
}

}  // namespace

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
