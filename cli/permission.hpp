// May the challenge destroy what it would destroy?
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/session.hpp"
#include "core/guard.hpp"
#include "core/track.hpp"
#include "store/store.hpp"

namespace pacenote::cli {

/// Asks at the terminal, or throws UserError that names what would be lost, unless `allowed` or there is
/// nothing to lose. While it asks, `check_interrupted` may throw.
void ask_permission(Session& session, const Track& track, const Challenge& challenge, store::Store& store,
                    const std::string& cluster_uuid, bool allowed, Console& console,
                    const std::function<void()>& check_interrupted);

}  // namespace pacenote::cli
