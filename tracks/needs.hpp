// What a challenge asks for that pacenote does not have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/track.hpp"

namespace pacenote::tracks {

struct Need {
  enum class Kind : std::uint8_t { operation_type, parameter_source, scheduler } kind;
  std::string name;
  std::string task;       ///< the first that asks for it
  bool of_rally = false;  ///< Rally's own part, so that no plugin of the track can be meant
};

/// In schedule order, each once.
std::vector<Need> missing_parts(const Challenge& challenge);

/// "operation types [a, b], parameter source [c]".
std::string listed(const std::vector<Need>& needs);

}  // namespace pacenote::tracks
