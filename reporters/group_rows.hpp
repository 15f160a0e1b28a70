// The metrics that two groups of races have in common, with their values: what a comparison is made of.
#pragma once

#include <string>
#include <vector>

#include "reporters/groups.hpp"

namespace pacenote::reporters {

/// Of a task's requests, [0, 1]: the mean over the races of the group that ran it.
double failed_share(const Group& group, const std::string& task);

/// Samples of one task over all races of a group. The last one is kept: its percentiles come in turn. Group
/// and samples outlive it.
class PooledTimes {
 public:
  PooledTimes(const Group& group, const SampleTimes& samples) : group_(group), samples_(samples) {}
  /// In ms. None for a single race, and where a race's samples are not there.
  std::optional<double> percentile(const std::string& task, Times times, double p);

 private:
  void pool();
  const Group& group_;
  const SampleTimes& samples_;
  std::string task_;
  Times times_{};
  std::vector<std::int64_t> values_;
};

/// Rows in the order in which they are added, each metric of a task once; not judged yet. All arguments
/// outlive it.
class GroupRows {
 public:
  GroupRows(const Group& baseline, const Group& contender, const SampleTimes& samples);
  /// Nothing is added where no side has a value. `task` does not count for a figure of the whole cluster.
  void add(const Quantity& quantity, const TaskResult& task, bool primary, bool even_one_sided = true);
  std::size_t size() const { return rows_.size(); }
  std::vector<GroupRow> take() { return std::move(rows_); }

 private:
  const Group& baseline_;
  const Group& contender_;
  const SampleTimes& samples_;
  PooledTimes pooled_baseline_, pooled_contender_;
  std::vector<GroupRow> rows_;
};

}  // namespace pacenote::reporters
