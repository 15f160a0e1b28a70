// JSON text into values, with mistakes shown as people look for them.
#pragma once

#include <string>

#include "core/json.hpp"

namespace pacenote::tracks {

/// The text as values; of duplicate keys the last wins. UserError with line, column, up to three lines of
/// context and a caret. `shown` names the text in the message; `hint` is passed on.
Json parse_json(const std::string& text, const std::string& shown, const std::string& hint = {});

/// The same for text that a template made: it is first written to a file that the hint names.
Json parse_rendered(const std::string& text, const std::string& shown, const std::string& hint = {});

}  // namespace pacenote::tracks
