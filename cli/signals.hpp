// Ctrl-C and its like (case O10).
#pragma once

#include <functional>
#include <memory>

#include "core/error.hpp"

namespace pacenote::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP calls `first` on a thread of its own, and the second
/// ends the process at once, with the exit code of its signal. SIGPIPE is ignored; SIGHUP stays ignored where
/// it was (nohup). One at a time. Children inherit no handler and no blocked signal.
class Signals {
 public:
  explicit Signals(std::function<void(int signal)> first);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  int received() const;  ///< the first signal, 0: none

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// interrupted for SIGINT, terminated for SIGTERM and SIGHUP.
ExitCode exit_code(int signal);

}  // namespace pacenote::cli
