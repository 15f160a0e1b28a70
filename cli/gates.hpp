// --fail-on and --junit-file: as flags, and what comes of them.
#pragma once

#include <string>
#include <vector>

#include "core/track.hpp"
#include "reporters/gate.hpp"

namespace pacenote::cli {

/// UserError for the first that does not parse.
std::vector<reporters::Gate> gates_from(const std::vector<std::string>& texts);

/// The same, and UserError for one that can never be held against a race of the challenge.
std::vector<reporters::Gate> gates_for_race(const std::vector<std::string>& texts,
                                            const Challenge& challenge);

/// One line a gate and task on standard error, failed ones last. True if any failed.
bool show_gates(const std::vector<reporters::GateResult>& results);

}  // namespace pacenote::cli
