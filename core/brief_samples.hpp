// What a second look at a task's samples needs, in a ninth of their memory.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/sample.hpp"

namespace pacenote {

/// Keeps begin, sent, received, type, weight, unit and throughput of samples: 16 bytes each where a block's
/// requests took less than four seconds and are alike, else 48.
class BriefSamples {
 public:
  void add(std::span<const Sample> block);
  /// The same blocks again, in the same order; all other fields mean nothing.
  void each(const std::function<void(std::span<const Sample>)>& use) const;

 private:
  /// What does not fit into 32 bits of nanoseconds makes the whole block a wide one.
  struct Short {
    Instant begin;
    std::uint32_t to_sent, to_received;
  };
  struct Wide {
    Instant begin, sent, received;
    double weight, throughput;
    NameId unit;
    SampleType type;
  };
  struct Block {
    Sample like;  ///< the first of the block
    std::vector<Short> short_ones;
    std::vector<Wide> wide_ones;  ///< either these or those
  };
  std::vector<Block> blocks_;
};

}  // namespace pacenote
