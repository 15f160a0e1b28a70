// The Python side-car: one child process that renders templates with the genuine Jinja2.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "core/json.hpp"

namespace pacenote::tracks {

/// Started by the first question, ended by the destructor; may serve many tracks, one after the other. One
/// thread.
class SideCar {
 public:
  /// `python`: --python; empty: $PACENOTE_PYTHON, else the first python3 of the path, then /usr/bin/python3,
  /// that can import jinja2.
  explicit SideCar(std::string python) : asked_for_(std::move(python)) {}
  ~SideCar();
  SideCar(const SideCar&) = delete;
  SideCar& operator=(const SideCar&) = delete;

  /// One request line, one answer line (tracks/host/sidecar.py says what is in them). UserError where the
  /// child ends or is silent for `patience`; it is gone afterwards, and the next question starts another.
  Json ask(const Json& request);
  /// Starts the child if there is none. UserError where no Python can.
  void start();

  std::chrono::milliseconds patience = std::chrono::seconds(60);
  std::function<void()> check;  ///< called ten times a second while it waits; what it throws ends the child

 private:
  bool started(const std::string& python, std::string& why_not);
  void write_line(const std::string& text);
  /// The next line of the child; throws UserError as ask() does.
  std::string read_line(std::chrono::milliseconds at_most);
  void end();

  std::string asked_for_, python_, buffer_;
  pid_t child_ = -1;
  int to_child_ = -1, from_child_ = -1;
};

}  // namespace pacenote::tracks
