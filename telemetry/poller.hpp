// The thread of telemetry: start polls, interval polls, stop polls.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "telemetry/sampler.hpp"

namespace pacenote::telemetry {

/// The way to the cluster during one phase. Made before the thread runs, then used on it alone.
class Line {
 public:
  virtual ~Line() = default;
  virtual Clock& clock() = 0;
  virtual std::unique_ptr<Transport> transport() = 0;  ///< of one device; the line outlives it
  /// Every request and sleep under way ends now.
  virtual void interrupt() = 0;
};
using MakeLine = std::function<std::unique_ptr<Line>(boost::asio::io_context&)>;

struct Surroundings {
  MetricSink& metrics;
  Notes& notes;
  std::string auth;  ///< see Probe
};

/// start(), stop() and destruction from one thread.
class Poller {
 public:
  Poller(std::vector<Sampler> samplers, const MakeLine& make_line, Surroundings surroundings,
         Duration patience);
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;
  void start();  ///< returns when all start polls are done, at the latest after `patience`
  void stop();   ///< the same for stop polls; only the first call does something
  /// From now on polls have `patience` at most, those under way included. Any thread.
  void hurry(Duration patience);

 private:
  struct Phase;
  enum class Kind : std::uint8_t { start, intervals, stop };
  Async<void> work(Sampler& sampler, Probe& probe, Kind kind);
  void begin(Phase& phase, Kind kind);
  void expire(Phase& phase);
  void run(Phase& phase, Kind kind);
  void end_intervals();
  void end_thread();

  std::vector<Sampler> samplers_;
  Surroundings surroundings_;
  std::atomic<Duration> patience_;
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
  std::unique_ptr<Phase> start_, intervals_, stop_;
  Stop stopping_;             // read on the thread
  Phase* running_ = nullptr;  // on the thread: the start or stop polls under way
  std::thread thread_;
};

}  // namespace pacenote::telemetry
