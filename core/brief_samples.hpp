// What a second look at a task's samples needs, in a sixth of their memory.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/sample.hpp"

namespace pacenote {

/// Keeps of samples the instants (but for first_byte), type, throttled, ok, weight, unit and throughput: 24
/// bytes each where a block's requests took less than four seconds and are alike but for the instants and ok.
class BriefSamples {
 public:
  void add(std::span<const Sample> block);
  /// The same blocks again, in the same order; all other fields mean nothing.
  void each(const std::function<void(std::span<const Sample>)>& use) const;

 private:
  /// Distances from begin, which `due` comes before, in nanoseconds.
  template <class Distance>
  struct Times {
    Instant begin;
    Distance due, sent, received, end;
  };
  struct Wide {
    Times<std::int64_t> times;
    double weight, throughput;
    NameId unit;
    SampleType type;
    bool throttled;
  };
  struct Block {
    Sample like;                              ///< the first of the block
    std::vector<std::uint32_t> failed;        ///< positions
    std::vector<Times<std::uint32_t>> brief;  ///< this, or where that does not do one of the others
    std::vector<Times<std::int64_t>> lengthy;
    std::vector<Wide> wide;
  };
  template <class Distance>
  static Times<Distance> times_of(const Sample& sample);
  template <class Distance>
  static void set(Sample& sample, const Times<Distance>& times);
  std::vector<Block> blocks_;
};

}  // namespace pacenote
