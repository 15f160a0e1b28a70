// Asks before anything is destroyed that a race did not make.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/async.hpp"
#include "core/runner.hpp"
#include "core/track.hpp"
#include "core/transport.hpp"

namespace pacenote {

/// Something the challenge would delete and that is not known to be ours.
struct Loss {
  Destroys target;
  std::string what;  ///< "index logs-2026 (1,234 documents)", "every index that matches logs-*", …
};

/// "index", "data stream", …
std::string_view noun(Destroys::Kind kind);

/// Everything the challenge's operations would destroy, in schedule order, each once.
std::vector<Destroys> destroyed_by(const Challenge& challenge, const Track& track);

/// Of those, what would be lost: an index, data stream or template that exists, holds documents (templates:
/// exists) and is not `ours` (by index UUID), and every wildcard or _all. UserError where the cluster will
/// not say.
Async<std::vector<Loss>> losses(Transport& cluster, const std::vector<Destroys>& targets,
                                const std::function<bool(const std::string& index_uuid)>& ours);

}  // namespace pacenote
