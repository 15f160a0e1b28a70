// What the charts draw.
#pragma once

#include <string>
#include <vector>

#include "reporters/html/detail.hpp"
#include "reporters/html/html.hpp"

namespace pacenote::reporters {

/// JSON for a script element: nothing in it can end that.
std::string html_data(const std::vector<HtmlRace>& races, const Detail& detail);

}  // namespace pacenote::reporters
