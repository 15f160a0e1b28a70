// What a race will ask of disk, network and cluster, before it begins.
#pragma once

#include <cstdint>
#include <string>

#include "core/track.hpp"

namespace pacenote::tracks {

struct Estimate {
  std::uint64_t documents = 0;       ///< that bulks send, a document sent twice counted twice
  std::uint64_t unpacked_bytes = 0;  ///< of the corpora that are used
  std::uint64_t packed_bytes = 0;    ///< of their archives
  bool sizes_known = true;           ///< every document set declares its size, or is there, or is generated
  bool generated = false;            ///< some are yet to be generated: their size is about so much
  std::uint64_t requests = 0;        ///< of the tasks whose number is known
  std::uint32_t timed_tasks = 0;     ///< that run for a time without a target throughput
  std::uint64_t seconds = 0;         ///< of warm-up and measurement of timed tasks, one after the other
};

/// UserError as used_by().
Estimate estimate(const Track& track, const Challenge& challenge);

/// "1.2 TB", "34.5 MB", "12 bytes".
std::string readable_bytes(std::uint64_t bytes);

}  // namespace pacenote::tracks
