// Document ids for bulks that meet their own documents again (rally track/params.py:1203, behaviour B.3).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/bulk_params.hpp"

namespace pacenote {

/// Where the draws come from. Functions, so that tests can script them.
struct Chance {
  std::function<double()> uniform;                      ///< [0, 1)
  std::function<std::uint64_t(std::uint64_t)> at_most;  ///< 0 … its argument, each as likely
  std::function<double(double)> exponential;            ///< of the given rate
  std::function<void(std::vector<std::uint32_t>&)> shuffle;
};

/// The same draws for the same seed, on every machine.
Chance seeded_chance(std::uint64_t seed);

/// One slice's ids: "%010d" of the document's number, each given out once, and now and then one that was
/// given out before. Memory: four bytes a document where they are in random order, none otherwise.
class DocumentIds {
 public:
  struct Next {
    std::uint64_t id = 0;
    bool conflict = false;
  };
  DocumentIds(std::uint64_t first, std::uint64_t count, const BulkParams& params, Chance& chance);
  Next next();

 private:
  std::uint64_t id_at(std::uint64_t position) const;
  std::uint64_t earlier_position();

  std::uint64_t first_, given_ = 0;
  double probability_, recency_;
  Chance& chance_;
  std::vector<std::uint32_t> order_;  // empty: ascending
};

}  // namespace pacenote
