// Can a challenge be raced, as far as that can be said without a cluster and without its documents?
#pragma once

#include <map>
#include <string>

#include "core/error.hpp"
#include "core/track.hpp"

namespace pacenote::tracks {

/// Empty where it can: pacenote has its parts, its documents are declared and not among the `missing` (as
/// look_for() says), and its operations' parameters are what they must be. `plugin` as in check_operations().
std::string why_not_raced(const Track& track, const Challenge& challenge, const std::string& plugin,
                          const std::map<const Documents*, UserError>& missing);

}  // namespace pacenote::tracks
