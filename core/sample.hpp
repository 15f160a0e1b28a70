// Measurements. Instants are stored and durations derived, so that they cannot disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/json.hpp"
#include "core/names.hpp"
#include "core/units.hpp"

namespace pacenote {

enum class SampleType : std::uint8_t { warmup, normal };

/// One call of one client. due <= begin <= sent <= first_byte <= received <= end, as far as each took place.
struct Sample {
  TaskIndex task{};
  ClientId client{};
  SampleType type = SampleType::normal;
  bool throttled = false;  ///< had a due time after the start of its task
  bool ok = true;
  bool reused = false;      ///< its (last) connection was open already
  std::int16_t status = 0;  ///< HTTP; 0: no answer. Of a bulk the worst item's
  std::uint16_t attempts = 1;
  Instant due, begin, sent, first_byte, received, end;
  double weight = 1;
  NameId unit{}, error{}, meta{};  ///< error: "type: description"
  std::int64_t took_ms = -1;       ///< the server's own word; -1: it said nothing
  std::uint64_t bytes_out = 0, bytes_in = 0;
  std::uint64_t items_ok = 0, items_failed = 0;
  double throughput = -1;  ///< runner-supplied, unit per second; -1: none

  Duration service_time() const { return received - sent; }
  Duration latency() const { return throttled ? received - due : service_time(); }  // rally driver.py:2086
  Duration processing_time() const { return end - begin; }
};
static_assert(std::is_trivially_copyable_v<Sample>);

/// Where samples go. Any thread; must not block; order within one vector is order of end.
class SampleSink {
 public:
  virtual ~SampleSink() = default;
  virtual void add(std::vector<Sample> samples) = 0;
};

/// One figure, or one document of figures, from telemetry.
struct Metric {
  std::string name;
  std::optional<double> value;
  std::string unit;
  Instant at;
  std::string node;      ///< empty: of the whole cluster
  std::string task;      ///< what ran then; may be empty
  Json fields = Json();  ///< further fields of a document (node-stats, per-shard, …); null: none
};

/// Any thread; must not block.
class MetricSink {
 public:
  virtual ~MetricSink() = default;
  virtual void add(Metric metric) = 0;
};

}  // namespace pacenote
