// Which indices, data streams and templates an operation means: its own, or those that the track declares.
#pragma once

#include <string>
#include <vector>

#include "core/operations/fields.hpp"
#include "core/runner.hpp"
#include "core/track.hpp"

namespace pacenote {

/// `index`, else `data-stream`, as written; else empty.
std::vector<std::string> named_targets(const Fields& params);

/// The only declared index, else the only data stream; empty if there is not exactly one.
std::string default_target(const Track& track);

/// Names of the declared indices, else of the data streams.
std::vector<std::string> declared_targets(const Track& track);

/// Whether `name` passes a filter, which is empty where all pass.
bool selected(const std::vector<std::string>& filter, const std::string& name);

/// One entry a name.
std::vector<Destroys> destroys_each(Destroys::Kind kind, const std::vector<std::string>& names);

/// What an operation that deletes may destroy where a custom parameter source chooses: anything of the kind.
std::vector<Destroys> destroys_anything(Destroys::Kind kind);

}  // namespace pacenote
