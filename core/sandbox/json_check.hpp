// Is this text one JSON object? Fast enough for every document of a bulk.
#pragma once

#include <string_view>

namespace pacenote::sandbox {

/// True where `text` is one JSON object, blanks around it allowed. Plain ASCII is checked by hand; where that
/// finds anything unusual, nlohmann decides.
bool is_json_object(std::string_view text);

}  // namespace pacenote::sandbox
