// What the process was given by its surroundings.
#pragma once

#include <filesystem>
#include <string>

namespace pacenote {

/// Empty where it is not set.
std::string environment_variable(const char* name);

/// Where pacenote keeps files of its own: $XDG_DATA_HOME/pacenote, or ~/.local/share/pacenote (XDG Base
/// Directory Specification: a relative path is ignored). UserError, with the hint, where neither is known.
std::filesystem::path own_data_folder(const std::string& hint);

}  // namespace pacenote
