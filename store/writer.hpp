// The thread that alone writes while a race runs. Driver threads only hand over.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/names.hpp"
#include "core/notes.hpp"
#include "core/sample.hpp"
#include "store/store.hpp"

namespace pacenote::store {

/// What the writer did, for the race's own account of itself.
struct WriterReport {
  std::uint64_t samples_taken = 0, samples_stored = 0, samples_dropped = 0;
  std::uint64_t metrics_taken = 0, metrics_stored = 0;
  std::string error;             ///< why not all could be stored; empty if all were
  std::vector<Sample> unstored;  ///< those of them that were not dropped, in order
};

/// add() and post() never block on the disk. Items are written in the order they came, one transaction a
/// batch. Where the disk is full or the file locked, the writer keeps what it has and tries again every
/// `retry`, up to `memory_limit` bytes of waiting samples; beyond that it drops samples and counts them.
class Writer final : public SampleSink, public MetricSink {
 public:
  /// All references outlive the writer. Notes gets one warning when writing begins to fail, one when it
  /// recovers.
  Writer(Store& store, std::string race, Instant epoch, const Names& names, Notes& notes,
         std::size_t memory_limit = std::size_t{512} << 20, Duration retry = std::chrono::seconds(1));
  ~Writer() override;  ///< as close(), ignoring the report
  void add(std::vector<Sample> samples) override;
  void add(Metric metric) override;
  /// Runs on the writer's thread, after all that was added before is stored (or has failed). For results of a
  /// finished task. A UserError it throws counts as a failed write and is tried again.
  void post(std::function<void(Store&)> work);
  /// Writes all that is left, trying for `patience` where that fails; then ends the thread. Idempotent.
  WriterReport close(Duration patience = std::chrono::seconds(5));
  /// close(), under way or to come, tries until `patience` from now at the latest. Any thread.
  void hurry(Duration patience);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pacenote::store
