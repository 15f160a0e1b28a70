// Shell-like patterns over names.
#pragma once

#include <string_view>

namespace pacenote {

/// Whether `*` (any text) and `?` (one character) of the pattern can stand for parts so that all of `name`
/// fits.
bool matches_glob(std::string_view pattern, std::string_view name);

}  // namespace pacenote
