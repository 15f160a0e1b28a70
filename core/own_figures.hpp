// What Rally's results of a task do not have.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/results.hpp"
#include "core/sample.hpp"
#include "core/track.hpp"

namespace pacenote {

/// What the normal samples did, and in which time.
struct Work {
  double weight = 0;
  std::uint64_t requests = 0;
  Instant begin = Instant::max(), end = Instant::min();
  void add(const Sample& sample);
  double seconds_long() const { return end > begin ? seconds(end - begin) : 0; }
};

/// Work per second in blocks of equal length over the normal samples, each request's work spread evenly over
/// the time it took. Their mean is the work divided by the time. Empty for fewer than 32 requests.
std::vector<double> block_rates(std::span<const Sample> samples);

/// block_rates(), filled sample by sample.
class BlockRates {
 public:
  explicit BlockRates(const Work& work);
  void add(const Sample& sample);
  std::vector<double> take();

 private:
  Instant begin_;
  std::vector<double> blocks_;
  double length_ = 1;
};

/// Overall and accepted throughput with their interval, and the target. `rates`: of all normal samples.
/// `result` has Rally's figures already.
void add_own_figures(const Task& task, const Work& work, BlockRates& rates, TaskResult& result);

}  // namespace pacenote
