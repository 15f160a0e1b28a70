// Doing a request again until it works (rally runner.py:3347, behaviour B.1).
#pragma once

#include <memory>
#include <string_view>

#include "core/runner.hpp"

namespace pacenote {

/// The runner of the operation's type, wrapped in retries where the type is `retried`, and in the operation's
/// assertions. UserError: unknown type.
std::unique_ptr<Runner> make_runner(const Operation& operation);

/// Obeys retries, retry-until-success, retry-wait-period, retry-on-timeout and retry-on-error of each call's
/// parameters, and `retry-timeout` (seconds, ours): how long retry-until-success goes on. All attempts are
/// one outcome, the last. Ends early when the step is stopped.
std::unique_ptr<Runner> retrying(std::unique_ptr<Runner> inner, const Operation& operation);

/// Says every 5 seconds why something is waited for.
class Waiting {
 public:
  explicit Waiting(const Clock& clock) : clock_(clock), begin_(clock.now()), said_(begin_) {}
  Duration elapsed() const { return clock_.now() - begin_; }
  void say(Bench& bench, std::string_view why);  ///< nothing if it is not yet time

 private:
  const Clock& clock_;
  Instant begin_, said_;
};

}  // namespace pacenote
