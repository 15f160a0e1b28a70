#include "core/own_figures.hpp"

#include <algorithm>
#include <vector>

namespace pacenote {
namespace {

constexpr std::size_t kMostBlocks = 64, kRequestsPerBlock = 4, kFewestRequests = 32;

/// Spreads the sample's work over the blocks, `from` and `to` being measured in blocks.
void spread(std::vector<double>& blocks, double from, double to, double weight) {
  const std::size_t last = blocks.size() - 1;
  const auto first = std::min(static_cast<std::size_t>(std::max(from, 0.0)), last);
  const auto final = std::min(static_cast<std::size_t>(std::max(to, 0.0)), last);
  if (first == final || to <= from) {
    blocks[final] += weight;
    return;
  }
  for (std::size_t i = first; i <= final; ++i) {
    const double begin = std::max(from, static_cast<double>(i));
    const double end = i == final ? to : static_cast<double>(i + 1);
    blocks[i] += weight * (end - begin) / (to - from);
  }
}

/// In the unit of the throughput: a rate of requests is one of what is in them.
double target_of(const TargetThroughput& target, const Work& work, const TaskResult& result) {
  if (target.unit + "/s" == result.throughput.unit) return target.per_second;
  return target.per_second * work.weight / static_cast<double>(work.requests);
}

}  // namespace

void Work::add(const Sample& sample) {
  ++requests;
  weight += sample.weight;
  begin = std::min(begin, sample.begin);
  end = std::max(end, sample.received);
}

BlockRates::BlockRates(const Work& work) : begin_(work.begin) {
  if (work.requests < kFewestRequests || work.seconds_long() <= 0) return;
  blocks_.resize(std::min<std::size_t>(kMostBlocks, work.requests / kRequestsPerBlock));
  length_ = work.seconds_long() / static_cast<double>(blocks_.size());
}

void BlockRates::add(const Sample& sample) {
  if (blocks_.empty()) return;
  spread(blocks_, seconds(sample.begin - begin_) / length_, seconds(sample.received - begin_) / length_,
         sample.weight);
}

std::vector<double> BlockRates::take() {
  for (double& block : blocks_) block /= length_;
  return std::move(blocks_);
}

std::vector<double> block_rates(std::span<const Sample> samples) {
  Work work;
  const auto normal = [](const Sample& sample) { return sample.type == SampleType::normal; };
  for (const Sample& sample : samples)
    if (normal(sample)) work.add(sample);
  BlockRates rates(work);
  for (const Sample& sample : samples)
    if (normal(sample)) rates.add(sample);
  return rates.take();
}

void add_own_figures(const Task& task, const Work& work, BlockRates& rates, TaskResult& result) {
  if (work.requests == 0 || work.seconds_long() <= 0) return;
  if (task.target) result.target_throughput = target_of(*task.target, work, result);
  const double rate = work.weight / work.seconds_long();
  result.overall_throughput = rate;
  result.overall_interval = statistics::block_interval(rates.take());
  if (result.overall_interval) result.overall_interval->low = std::max(result.overall_interval->low, 0.0);
  const std::uint64_t items = result.items_ok + result.items_failed;
  if (items > 0) result.accepted_throughput = static_cast<double>(result.items_ok) / work.seconds_long();
}

}  // namespace pacenote
