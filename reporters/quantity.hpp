// One figure of a task or of the cluster by name, as gates and comparisons ask for it: "throughput", "p99
// service_time".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/results.hpp"
#include "reporters/cluster_quantity.hpp"

namespace pacenote::reporters {

enum class Times : std::uint8_t { latency, service_time, processing_time, took };

/// Nanoseconds of all normal samples of a race's task (by position in its results), in any order; of `took`
/// only those that have one. Empty where the race's samples are not in the store.
using SampleTimes =
    std::function<std::vector<std::int64_t>(const std::string& race, std::size_t task, Times)>;

/// What a number of the quantity means, and thus which units a person may write.
enum class Dimension : std::uint8_t { rate, ratio, ms, count, bytes };

/// A named figure that stands in a TaskResult; see quantity.cpp for the list.
struct PlainQuantity {
  std::string_view name;
  Dimension dimension;
  bool more_is_better;
  std::optional<double> (*of)(const TaskResult& task);
};

class Quantity {
 public:
  /// UserError, with the nearest name as hint, for a text that names none.
  static Quantity parse(std::string_view text);
  static Quantity percentile(Times times, double p) { return {nullptr, times, p}; }
  explicit Quantity(const ClusterQuantity& of_cluster) : cluster_(&of_cluster) {}
  /// The names that parse() takes, but for percentiles other than the usual ones.
  static std::vector<std::string> names();

  std::string name() const;
  Dimension dimension() const;
  /// Then of(Results) has its value, and no task has one.
  bool of_whole_cluster() const { return cluster_ != nullptr; }
  bool more_is_better() const { return plain_ != nullptr && plain_->more_is_better; }
  /// Of shown(): "%" for a ratio. `task` counts for rates only.
  std::string unit(const TaskResult& task) const;
  double shown(double value) const;

  /// Of the whole cluster: ms, bytes or a count.
  std::optional<double> of(const Results& results) const;
  /// From the results alone: nothing for a percentile that they do not hold.
  std::optional<double> of(const TaskResult& task) const;
  /// As of(), else from the raw samples.
  std::optional<double> of(const std::string& race, const Results& results, std::size_t task,
                           const SampleTimes& samples) const;
  /// The error of one race's value as far as the inside of the race tells; none where its requests are too
  /// few.
  std::optional<double> error_of(const TaskResult& task) const;

  /// Set for percentiles only.
  std::optional<double> percentile() const;
  Times times() const { return times_; }
  bool operator==(const Quantity&) const = default;

 private:
  Quantity(const PlainQuantity* plain, Times times, double p)
      : plain_(plain), times_(times), percentile_(p) {}
  const PlainQuantity* plain_ = nullptr;  // null: of times, or of the cluster
  Times times_ = Times::latency;
  double percentile_ = -1;  // below 0: the mean
  const ClusterQuantity* cluster_ = nullptr;
};

const Distribution& times_of(const TaskResult& task, Times times);

/// Percentile p, in ms, of nanoseconds; `values` is put in order. None of none.
std::optional<double> percentile_ms(std::vector<std::int64_t>& values, double p);

/// The task's position among those of a race that a report shows; none if it did not run.
std::optional<std::size_t> reported_task(const Results& results, std::string_view name);

}  // namespace pacenote::reporters
