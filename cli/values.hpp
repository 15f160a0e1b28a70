// Values of flags that are more than text: objects and lists in Rally's three notations (behaviour A.4).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"

namespace pacenote::cli {

/// A .json file, JSON text, or `k:v,k2:v2` (rally utils/opts.py to_dict). Other than Rally a value may hold
/// colons, a quoted one commas, and text that begins like JSON must be JSON. Any JSON type may come out.
/// UserError names `flag`, and never holds the text of --client-options.
Json to_dict(std::string_view flag, std::string_view text);

/// to_dict of which an object is expected.
Json to_object(std::string_view flag, std::string_view text);

/// A .json file with an array of texts, such an array, or a comma list (rally utils/opts.py csv_to_list).
std::vector<std::string> csv_to_list(std::string_view flag, std::string_view text);

/// What stands between commas, trimmed; none for a blank text.
std::vector<std::string> comma_list(std::string_view text);

}  // namespace pacenote::cli
