// The door to time. The race has one per driver thread (AsioClock); tests have a FakeClock.
#pragma once

#include "core/async.hpp"
#include "core/units.hpp"

namespace pacenote {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
  /// Returns at `when` (at once if that is past), or early when the step is stopped: look at Stop afterwards.
  virtual Async<void> sleep_until(Instant when) = 0;
};

}  // namespace pacenote
