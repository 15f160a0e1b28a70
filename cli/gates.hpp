// --fail-on and --junit-file: as flags, and what comes of them.
#pragma once

#include <string>
#include <vector>

#include "reporters/gate.hpp"

namespace pacenote::cli {

/// UserError for the first that does not parse.
std::vector<reporters::Gate> gates_from(const std::vector<std::string>& texts);

/// One line a gate and task on standard error, failed ones last. True if any failed.
bool show_gates(const std::vector<reporters::GateResult>& results);

}  // namespace pacenote::cli
