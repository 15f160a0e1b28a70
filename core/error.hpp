// What the user got wrong: thrown where found, caught once in cli/main.cpp.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace pacenote {

/// As Rally's (behaviour F.8), plus 1 for a race that ran and failed its own test.
enum class ExitCode : int {
  ok = 0,
  gate_failed = 1,  ///< raced, but a task had not one successful request (or a --fail-on gate failed)
  usage = 2,        ///< the command line does not parse
  failed = 64,      ///< everything else, before or during the race
  interrupted = 130,
  terminated = 143,
};

/// `message` names the thing that is wrong, with file and JSON path where there is one; `hint` says what to
/// do. Both are one line. Neither may hold a secret.
class UserError : public std::runtime_error {
 public:
  explicit UserError(const std::string& message, std::string hint, ExitCode code = ExitCode::failed)
      : std::runtime_error(message), hint_(std::move(hint)), code_(code) {}
  const std::string& hint() const { return hint_; }
  ExitCode code() const { return code_; }

 private:
  std::string hint_;
  ExitCode code_;
};

}  // namespace pacenote
