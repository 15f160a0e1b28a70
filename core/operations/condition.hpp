// Whether an answer has a value that an operation waits for (index-stats, transform-stats).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/operations/fields.hpp"
#include "core/operations/planned.hpp"
#include "core/runner.hpp"

namespace pacenote {

/// The value at a dotted path; null if there is none.
Json value_at(const Json& answer, std::string_view path);

/// The same as text or number; "" and 0 where it is of another type.
std::string text_at(const Json& answer, std::string_view path);
double number_at(const Json& answer, std::string_view path);

/// The list at a path; an empty one where there is none.
Json list_at(const Json& answer, std::string_view path);

/// The path of the parameter `condition`; empty: there is no condition. UserError for one that is not whole.
std::string condition_path(const Fields& params);

/// Asks as planned; with `condition`, notes what was found and wanted in what `looked_at` makes of the
/// answer's body, and fails where they differ.
std::unique_ptr<Runner> asks_for_condition(const Operation& operation, Planner planner,
                                           Json (*looked_at)(std::string_view body));

}  // namespace pacenote
