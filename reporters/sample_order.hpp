// Samples in the order in which their requests began, without all of them in memory.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/sample.hpp"

namespace pacenote::reporters {

/// Gives samples on in order of begin, those of equal begin in the order in which they came. They come by
/// driver thread and in order of their end, so with many clients they rarely are in that order; but no later
/// block begins before `later_begins` says, so few have to wait.
class SampleOrder {
 public:
  /// `block_begins`: for each block to come the earliest begin in it.
  explicit SampleOrder(std::vector<Instant> block_begins) : later_begins_(std::move(block_begins)) {
    for (std::size_t i = later_begins_.size(); i-- > 1;)
      later_begins_[i - 1] = std::min(later_begins_[i - 1], later_begins_[i]);
    later_begins_.push_back(Instant::max());
  }
  template <class Use>
  void add(std::span<const Sample> block, const Use& use) {
    const auto earlier = [](const Sample& a, const Sample& b) { return a.begin < b.begin; };
    waiting_.insert(waiting_.end(), block.begin(), block.end());
    const Instant limit = later_begins_[++block_];
    // Where many have to wait they are put in order now and then, not with each block.
    const bool last = block_ + 1 == later_begins_.size();
    if (!last && waiting_.size() - ordered_ < ordered_ / 2) return;
    const auto old_end = waiting_.begin() + static_cast<std::ptrdiff_t>(ordered_);
    std::stable_sort(old_end, waiting_.end(), earlier);
    std::inplace_merge(waiting_.begin(), old_end, waiting_.end(), earlier);
    std::size_t done = 0;
    while (done < waiting_.size() && waiting_[done].begin <= limit) use(waiting_[done++]);
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(done));
    ordered_ = waiting_.size();
  }

 private:
  std::vector<Instant> later_begins_;  // of this block and all that follow it
  std::size_t block_ = 0;
  std::vector<Sample> waiting_;
  std::size_t ordered_ = 0;  // as many of them, from the first on, are in order
};

}  // namespace pacenote::reporters
