// How far a task is, as a line for people.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "core/executor.hpp"
#include "core/units.hpp"

namespace pacenote::cli {

/// `progress` is read until the step has ended.
struct ShownTask {
  std::string name;
  const TaskProgress* progress;
};

/// Follows one task. One thread.
class Meter {
 public:
  Meter(ShownTask task, Instant begun) : task_(std::move(task)), begun_(begun) {}
  /// "index-append   [ 42% done]  81,234 docs/s  3 failed", at most `width` columns wide, the rate taken over
  /// the last five calls.
  std::string line(Instant now, std::size_t width);
  /// The same once the task has ended: the rate is over all of it, up to the last request.
  std::string last_line(Instant now, std::size_t width, bool completed) const;
  /// "index-append 42% 81,234 docs/s".
  std::string short_line(Instant now);

 private:
  double rate(Instant now);
  std::string text(double fraction, double rate, std::size_t width) const;
  ShownTask task_;
  Instant begun_;
  std::deque<std::pair<Instant, double>> amounts_;
};

/// At most `width` bytes, cut between UTF-8 characters, with "..." where something is missing.
std::string clipped(const std::string& text, std::size_t width);

}  // namespace pacenote::cli
