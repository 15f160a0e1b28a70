// Order statistics of many durations.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/results.hpp"

namespace pacenote {

/// Percentiles that the number of values supports with their intervals, and the mean, in milliseconds.
Distribution distribution(std::span<const std::int64_t> nanoseconds);
/// The same of values of which many are equal: value, how many.
Distribution distribution(const std::map<std::int64_t, std::uint64_t>& nanoseconds);

/// The same of values that are shown twice, in any order, and not kept: all are counted, then all collected.
/// Exact, in the memory of some thousands.
class TwoLooks {
 public:
  void count(std::int64_t nanoseconds);
  void all_are_counted();
  void collect(std::int64_t nanoseconds);
  Distribution result();

 private:
  std::vector<std::uint32_t> counts_;  ///< by bucket of nearly equal values
  std::uint64_t number_ = 0;
  std::int64_t sum_ = 0;
  std::vector<std::vector<std::int64_t>> members_;  ///< of the buckets that hold a wanted rank
  std::vector<std::uint16_t> slots_;                ///< by bucket: position in members_ + 1; 0: none wanted
  struct Wanted {
    std::uint64_t rank, before;  ///< as many values lie in the buckets before its own
    std::uint16_t slot;
  };
  std::vector<Wanted> wanted_;
};

}  // namespace pacenote
