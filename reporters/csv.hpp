// One field of a CSV line.
#pragma once

#include <string>

namespace pacenote::reporters {

/// Quoted where it holds a comma, a quote or a line end.
std::string csv_field(const std::string& text);

/// A text that a spreadsheet would run as a formula gets a ' before it (OWASP, CSV injection). Numbers are
/// none.
std::string harmless(const std::string& text);

}  // namespace pacenote::reporters
