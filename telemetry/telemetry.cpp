#include "telemetry/telemetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "core/asio_clock.hpp"
#include "core/suggest.hpp"
#include "core/transport_pool.hpp"
#include "telemetry/poller.hpp"

namespace pacenote::telemetry {
namespace {

/// Writes on each metric which task ran when it was taken.
class Labelled final : public MetricSink {
 public:
  explicit Labelled(MetricSink& inner) : inner_(inner) {}
  void add(Metric metric) override {
    if (metric.task.empty()) {
      const std::lock_guard lock(mutex_);
      metric.task = task_;
    }
    inner_.add(std::move(metric));
  }
  void label(const std::string& task) {
    const std::lock_guard lock(mutex_);
    task_ = task;
  }

 private:
  MetricSink& inner_;
  std::mutex mutex_;
  std::string task_;
};

class NetworkLine final : public Line {
 public:
  NetworkLine(boost::asio::io_context& context, const Cluster& cluster)
      : pool_(context, cluster), clock_(context) {}
  Clock& clock() override { return clock_; }
  std::unique_ptr<Transport> transport() override { return pool_.make(next_host_++); }
  void interrupt() override {
    pool_.interrupt();
    clock_.interrupt();
  }

 private:
  TransportPool pool_;
  AsioClock clock_;
  std::uint32_t next_host_ = 0;
};

MakeLine to(const Cluster& cluster) {
  return [&cluster](boost::asio::io_context& context) -> std::unique_ptr<Line> {
    return std::make_unique<NetworkLine>(context, cluster);
  };
}

/// The devices that are always on, then those asked for, each once.
std::vector<Sampler> samplers(const Options& options, const Track& track) {
  std::vector<std::string> names;
  for (const auto& [name, type] : Registry<DeviceType>::all())
    if (type.always_on) names.push_back(name);
  for (const std::string& name : options.devices)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  std::vector<Sampler> out;
  for (const std::string& name : names)
    out.emplace_back(name, Registry<DeviceType>::get("telemetry device", name).make(options.params, track));
  return out;
}

void check_param(const std::string& key, const Options& options, Notes& notes) {
  std::vector<std::string> known;
  for (const auto& [device, type] : Registry<DeviceType>::all()) {
    known.insert(known.end(), type.params.begin(), type.params.end());
    if (std::find(type.params.begin(), type.params.end(), key) == type.params.end()) continue;
    const auto& asked = options.devices;
    if (!type.always_on && std::find(asked.begin(), asked.end(), device) == asked.end())
      notes.warning(
          fmt::format("The telemetry parameter [{}] has no effect without --telemetry={}.", key, device));
    return;
  }
  throw UserError(fmt::format("no telemetry device has a parameter [{}]", key), suggestion(key, known));
}

std::string auth_of(const ClientOptions& options) {
  if (!options.api_key.empty()) return "api_key";
  return options.basic_auth_user.empty() ? "" : "basic";
}

}  // namespace

struct Telemetry::Impl {
  Impl(const Options& options, const Cluster& cluster, const Track& track, MetricSink& sink, Notes& notes)
      : metrics(sink),
        poller(samplers(options, track), to(cluster), Surroundings{metrics, notes, auth_of(cluster.options)},
               options.patience) {}
  Labelled metrics;
  Poller poller;
};

void check(const Options& options, Notes& notes) {
  for (const auto& [key, value] : options.params.items()) check_param(key, options, notes);
  samplers(options, Track{});
}

Telemetry::Telemetry(const Options& options, const Cluster& cluster, const Track& track, MetricSink& metrics,
                     Notes& notes)
    : impl_(std::make_unique<Impl>(options, cluster, track, metrics, notes)) {}

Telemetry::~Telemetry() = default;

void Telemetry::start() { impl_->poller.start(); }

void Telemetry::stop() {
  impl_->metrics.label({});
  impl_->poller.stop();
}

void Telemetry::hurry() { impl_->poller.hurry(std::chrono::seconds(1)); }

void Telemetry::running(const std::string& task) { impl_->metrics.label(task); }

}  // namespace pacenote::telemetry
