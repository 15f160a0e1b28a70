// A telemetry device: what polls the cluster beside the load.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/async.hpp"
#include "core/clock.hpp"
#include "core/cluster.hpp"
#include "core/json.hpp"
#include "core/notes.hpp"
#include "core/registry.hpp"
#include "core/sample.hpp"
#include "core/track.hpp"
#include "core/transport.hpp"

namespace pacenote::telemetry {

/// All members outlive the poll.
struct Probe {
  Transport& cluster;
  MetricSink& metrics;
  Clock& clock;
  Notes& notes;
  std::string_view auth = {};  ///< "basic", "api_key" or empty: how the client signs in
};

enum class When : std::uint8_t { start, interval, stop };

class TelemetryDevice {
 public:
  virtual ~TelemetryDevice() = default;
  virtual Async<void> poll(Probe& probe, When when) = 0;
  /// Time between interval polls; none: only start and stop.
  virtual std::optional<Duration> interval() const { return std::nullopt; }
};

/// `params` is --telemetry-params. UserError for a parameter of the wrong type.
struct DeviceType {
  std::string_view help;
  bool always_on = false;  ///< Rally's internal devices
  std::unique_ptr<TelemetryDevice> (*make)(const Json& params, const Track& track) = nullptr;
  std::vector<std::string> params = {};  ///< the keys of --telemetry-params that it reads
};

}  // namespace pacenote::telemetry
