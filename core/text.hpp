// Small questions about text that several files ask. ASCII: names of headers, fields and flags.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pacenote {

bool same_ignoring_case(std::string_view a, std::string_view b);
bool contains_ignoring_case(std::string_view text, std::string_view part);
std::string lower_case(std::string_view text);
/// Without spaces, tabs and line ends on both sides.
std::string_view trimmed(std::string_view text);

/// Text of others for a terminal: control characters, which could move the cursor or hide lines, become `?`.
std::string printable(std::string_view text);
/// As printable, of a text of several lines: line ends stay.
std::string printable_lines(std::string_view text);

/// 1234567 -> "1,234,567".
std::string grouped(std::uint64_t number);

}  // namespace pacenote
