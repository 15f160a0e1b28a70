// Open files: every connection is one.
#pragma once

#include <cstdint>

namespace pacenote::cli {

/// Raises this process's limit where that is needed and allowed. UserError, naming `ulimit -n`, where it is
/// not.
void raise_file_limit(std::uint64_t needed);

}  // namespace pacenote::cli
