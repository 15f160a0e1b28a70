// The Python side-car: one child process that renders templates with the genuine Jinja2.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

#include "core/json.hpp"

namespace pacenote::tracks {

/// Started by the constructor, ended by the destructor. One thread.
class SideCar {
 public:
  /// `python`: --python; empty: $PACENOTE_PYTHON, else the first python3 of the path, then /usr/bin/python3,
  /// that can import jinja2. UserError where none can.
  explicit SideCar(const std::string& python);
  ~SideCar();
  SideCar(const SideCar&) = delete;
  SideCar& operator=(const SideCar&) = delete;

  /// One request line, one answer line (tracks/host/sidecar.py says what is in them). UserError where the
  /// child ends or is silent for `patience`; it is gone afterwards.
  Json ask(const Json& request);

  std::chrono::milliseconds patience = std::chrono::seconds(60);

 private:
  bool start(const std::string& python, std::string& why_not);
  void write_line(const std::string& text);
  /// The next line of the child; throws UserError as ask() does.
  std::string read_line();
  void end();

  std::string python_, buffer_;
  pid_t child_ = -1;
  int to_child_ = -1, from_child_ = -1;
};

}  // namespace pacenote::tracks
