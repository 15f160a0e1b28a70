// Aggregations over the documents that a search found.
#pragma once

#include <string>

#include "core/sandbox/search.hpp"

namespace pacenote::sandbox {

/// Appends `,"aggregations":{…}` if the body asks for any. They count kept documents only. False: `refusal`
/// says which kind is not known.
bool aggregate(const Json& body, const Found& found, std::string& out, Answer& refusal);

}  // namespace pacenote::sandbox
