// What the parts of a composite leave for one another: ids of points in time and of asynchronous searches, by
// the name of the part that got them.
#pragma once

#include <string>

#include "core/operations/fields.hpp"
#include "core/runner.hpp"

namespace pacenote {

/// UserError outside of a composite.
void leave_id(Bench& bench, const Fields& params, const std::string& name, std::string id);

/// UserError outside of a composite, and where no part of that name has left one.
std::string id_left_by(Bench& bench, const Fields& params, std::string_view key, const std::string& name);

}  // namespace pacenote
