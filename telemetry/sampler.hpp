// One device and its luck: when it is polled, which polls were in vain, and what is said about that.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "core/notes.hpp"
#include "core/stop.hpp"
#include "telemetry/device.hpp"

namespace pacenote::telemetry {

/// Used by one coroutine at a time. Nothing that a cluster answers makes it throw.
class Sampler {
 public:
  Sampler(std::string name, std::unique_ptr<TelemetryDevice> device);
  /// The start or the stop poll. A failure is one warning.
  Async<void> once(Probe& probe, When when);
  /// Interval polls until `stop`; returns at once for a device without an interval. Due times are start + n *
  /// interval; those that pass while a poll is under way are left out and counted as missing.
  Async<void> until(Probe& probe, const Stop& stop);
  /// One warning where samples are missing.
  void sum_up(Notes& notes) const;

 private:
  enum class Trouble : std::uint8_t { none, passing, lasting, interrupted };
  struct Verdict;
  class Watched;
  Async<Verdict> poll(Probe& probe, When when);
  void count(const Verdict& verdict, std::uint64_t passed, Notes& notes);
  void switch_off(Notes& notes, const std::string& why);

  std::string name_;
  std::unique_ptr<TelemetryDevice> device_;
  bool off_ = false;
  std::uint64_t taken_ = 0, missing_ = 0;
  std::set<std::string> reasons_;  // why samples are missing
};

}  // namespace pacenote::telemetry
