// A device, a scripted cluster, and what the device made of its answers.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/registry.hpp"
#include "telemetry/device.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/notes.hpp"
#include "tests/support/run.hpp"
#include "tests/support/scripted_transport.hpp"
#include "tests/support/shared.hpp"

namespace pacenote::telemetry {

class KeptMetrics final : public MetricSink {
 public:
  void add(Metric metric) override { all.push_back(std::move(metric)); }
  std::vector<Metric> named(const std::string& name) const {
    std::vector<Metric> out;
    std::copy_if(all.begin(), all.end(), std::back_inserter(out),
                 [&name](const Metric& metric) { return metric.name == name; });
    return out;
  }
  /// Of the only metric of that name and node; -1 where there is none.
  double value(const std::string& name, const std::string& node = {}) const {
    for (const Metric& metric : all)
      if (metric.name == name && metric.node == node) return metric.value.value_or(-1);
    return -1;
  }
  std::vector<Metric> all;
};

inline test::Reply answer(int status, const std::string& body) {
  test::Reply out;
  out.status = status;
  out.body = body;
  return out;
}

/// Everything a device touches.
struct Bench {
  test::FakeClock clock;
  test::ScriptedTransport cluster{clock};
  KeptMetrics metrics;
  test::KeptNotes notes;
  Probe probe{cluster, metrics, clock, notes, "basic"};

  std::unique_ptr<TelemetryDevice> device(const std::string& name, const Json& params = Json::object()) {
    return Registry<DeviceType>::get("telemetry device", name).make(params, track);
  }
  void poll(TelemetryDevice& device, When when, const std::string& body) {
    cluster.otherwise = answer(200, body);
    test::run(device.poll(probe, when));
  }
  Track track;
};

inline const std::vector<std::string> kProducts{"opensearch-2.19.6", "elasticsearch-7.10.2",
                                                "elasticsearch-7.17.28", "elasticsearch-2.4.1"};

}  // namespace pacenote::telemetry
