// Who writes a race, so that a reader can tell a race that runs from one whose process was killed.
#pragma once

#include <string>

namespace pacenote::store {

/// This process, told apart from all earlier and later ones of this machine: "<pid> <start> <boot id>". Empty
/// where there is no /proc.
std::string this_process();

/// Whether the process of that mark lives. Also true for an empty mark: nobody knows. False for one of
/// another machine or of another container that shares the file.
bool lives(const std::string& process);

}  // namespace pacenote::store
