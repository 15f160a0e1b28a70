// Which host a client asks next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/units.hpp"

namespace pacenote {

/// Round robin over the hosts that do not rest after a failure: 1, 2, 4 … 30 s (behaviour H.3). At least one
/// host.
class HostRotation {
 public:
  HostRotation(std::size_t hosts, std::size_t first) : states_(hosts), next_(first) {}
  /// Where all rest, the next one all the same.
  std::size_t pick(Instant now);
  void note(std::size_t host, bool alive, Instant now);

 private:
  struct State {
    std::uint32_t failures = 0;
    Instant rests_until{};
  };
  std::vector<State> states_;
  std::size_t next_;
};

}  // namespace pacenote
