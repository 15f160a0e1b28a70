// Rally's own operation types, those included that pacenote does not have yet (behaviour B.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pacenote::tracks {

/// Who may call what it calls on Elastic's serverless offering.
enum class Serverless : std::uint8_t {
  everybody,
  operators,  ///< Rally: internal
  nobody,     ///< Rally: blocked
};

/// None: Rally has no such type, so a plugin must register it.
std::optional<Serverless> rally_type(std::string_view name);

}  // namespace pacenote::tracks
