// The enabled devices, on one thread of their own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/cluster.hpp"
#include "telemetry/device.hpp"

namespace pacenote::telemetry {

struct Options {
  std::vector<std::string> devices;              ///< --telemetry, beside the always-on ones
  Json params = Json::object();                  ///< --telemetry-params
  Duration patience = std::chrono::seconds(10);  ///< for all start polls together, and for all stop polls
};

/// UserError for an unknown device, and for a parameter that no device has or whose value its device refuses:
/// before anything is prepared or sent. A parameter of a device that is not asked for becomes a warning.
void check(const Options& options, Notes& notes);

/// Starts its thread with the race and ends it with the race. A slow, failing or forbidden request never
/// reaches the race: it becomes one note and a gap (case O11).
class Telemetry {
 public:
  /// References outlive this. UserError for an unknown device or a bad parameter.
  Telemetry(const Options& options, const Cluster& cluster, const Track& track, MetricSink& metrics,
            Notes& notes);
  ~Telemetry();  ///< ends the thread without stop polls if stop() was not called
  void start();  ///< runs all start polls, returns when they are done; then interval polls go on beside
  void stop();   ///< ends interval polls, runs all stop polls, ends the thread. Idempotent
  void hurry();  ///< start and stop polls have one second more at most: the user wants to end. Any thread
  void running(const std::string& task);  ///< label for metrics taken from now on. Any thread

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pacenote::telemetry
