// --telemetry-params: typed look-ups. UserError for a wrong type.
#pragma once

#include <string>

#include "core/json.hpp"
#include "core/units.hpp"

namespace pacenote::telemetry {

/// A boolean, also as text ("true", "no", …) as it comes from `key:value` lists.
bool flag(const Json& params, const std::string& key, bool otherwise);
/// A positive number of seconds.
Duration period(const Json& params, const std::string& key, Duration otherwise);

}  // namespace pacenote::telemetry
