// Tables and notes as HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/results.hpp"
#include "reporters/html/detail.hpp"
#include "reporters/table.hpp"

namespace pacenote::reporters {

/// As text or attribute.
std::string html_text(std::string_view text);

/// At most detail.rows rows, and the number of those left out in the caption.
std::string html_table(const Table& table, const std::string& caption, const Detail& detail);
/// At most detail.notes of them.
std::string html_notes(const std::vector<std::string>& notes, const Detail& detail);

/// One row a task in place of Rally's many.
Table tasks_in_brief(const Results& results);

}  // namespace pacenote::reporters
