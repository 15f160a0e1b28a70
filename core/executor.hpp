// One client doing one task: the loop that makes samples (rally driver.py:1995 AsyncExecutor).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/allocation.hpp"
#include "core/driver_cost.hpp"
#include "core/runner.hpp"
#include "core/sample.hpp"
#include "core/schedule.hpp"

namespace pacenote {

enum class OnError : std::uint8_t { continue_, continue_on_network, abort };

/// What the console sees of a running task. Written by driver threads, read by any.
struct TaskProgress {
  std::atomic<std::uint64_t> requests{0}, failed{0}, clients_done{0};
  std::atomic<double> amount{0};         ///< sum of weights
  std::atomic<double> fraction{-1};      ///< [0, 1], -1: unknown; of the client furthest on
  std::atomic<const char*> unit{"ops"};  ///< a literal, or text in Names
  std::atomic<Instant> last{Instant{}};  ///< when the last request ended; Instant{}: none has
};

/// Collects one driver thread's samples and hands them on in vectors.
class SampleBuffer {
 public:
  SampleBuffer(SampleSink& sink, std::size_t capacity = 8192) : sink_(sink), capacity_(capacity) {}
  void add(const Sample& sample, Instant now);  ///< flushes when full, or when the oldest is a second old
  void flush();

 private:
  SampleSink& sink_;
  std::size_t capacity_;
  std::vector<Sample> samples_;
  Instant oldest_{};
};

/// Called with each failed request; decides nothing, must not block. Any thread.
class ErrorLog {
 public:
  virtual ~ErrorLog() = default;
  virtual void failed(std::string_view task, const Outcome& outcome) = 0;
};

/// What all clients of one driver thread share during a step. Members outlive the clients.
struct Lane {
  Clock& clock;
  SampleBuffer& samples;
  Names& names;
  Notes& notes;
  ErrorLog& errors;
  Stop& stop;
  OnError on_error = OnError::continue_;
};

/// What one client brings along.
struct Driver {
  ClientId client;
  Transport& cluster;
  ParamSource& source;
  Runner& runner;
  Schedule& schedule;
  TaskProgress& progress;
  TaskCost& cost;
};

/// Runs until the task's limits, its source, its runner, or the step's Stop ends it. All arguments outlive
/// the returned coroutine.
Async<void> execute(Lane& lane, Driver& driver, const Assignment& assignment);

}  // namespace pacenote
