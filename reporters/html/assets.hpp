// Files that are part of the program: made at build time by reporters/html/embed.cmake.
#pragma once

#include <string_view>

namespace pacenote::reporters::assets {

std::string_view chart_script();  ///< Dygraphs (MIT), Debian's libjs-dygraphs
std::string_view chart_style();
std::string_view report_script();  ///< reporters/html/report.js
std::string_view report_style();

}  // namespace pacenote::reporters::assets
