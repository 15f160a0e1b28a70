// When the next request of one client is due. Pure: durations after the task's start, no clock inside.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/registry.hpp"
#include "core/track.hpp"
#include "core/units.hpp"

namespace pacenote {

class Schedule {
 public:
  virtual ~Schedule() = default;
  /// Due time of the next request after the client's start; zero: at once and unthrottled.
  virtual Duration next() = 0;
  /// What the last request was worth; unit-aware schedules set their rate by it (behaviour C.4).
  /// UserError where its unit does not fit the target's.
  virtual void on_result(Weight weight) { static_cast<void>(weight); }
};

/// A scheduler name as in a task's `schedule`. `client` is the client's index in the task, for seeds.
struct ScheduleType {
  std::unique_ptr<Schedule> (*make)(const Task&, std::uint32_t client);
};

/// Turns a target in docs/s, pages/s, … into a request rate by what the last request was worth. The first
/// request goes out at once and unthrottled, since nobody knows its weight yet (rally scheduler.py:266,
/// behaviour C.4). `gaps` gives the time between two requests in units of the mean. `task` outlives the
/// schedule.
std::unique_ptr<Schedule> unit_aware(const Task& task, std::function<double()> gaps);

/// The task's schedule for one of its clients: unthrottled without a target. UserError for an unknown name.
std::unique_ptr<Schedule> make_schedule(const Task& task, std::uint32_t client);

}  // namespace pacenote
