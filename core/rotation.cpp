#include "core/rotation.hpp"

#include <algorithm>

namespace pacenote {

std::size_t HostRotation::pick(Instant now) {
  const std::size_t count = states_.size();
  if (count == 1) return 0;
  for (std::size_t tried = 0; tried < count; ++tried) {
    const std::size_t host = next_++ % count;
    if (states_[host].rests_until <= now) return host;
  }
  return next_++ % count;
}

void HostRotation::note(std::size_t host, bool alive, Instant now) {
  State& state = states_[host];
  state.failures = alive ? 0 : std::min(state.failures + 1, 6u);
  if (!alive) state.rests_until = now + std::chrono::seconds(std::min(30u, 1u << (state.failures - 1)));
}

}  // namespace pacenote
