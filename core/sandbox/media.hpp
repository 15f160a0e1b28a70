// Which content types a product takes, and what it says to the others.
#pragma once

#include <optional>
#include <string>

#include "core/sandbox/asked.hpp"
#include "core/sandbox/server.hpp"

namespace pacenote::sandbox {

/// The refusal, if the product would refuse the request for its Content-Type or Accept header.
std::optional<Answer> refuse_media(const Asked& asked, Flavor flavor);

/// "application/json" as the product spells it for this Accept header.
std::string answer_media(const Asked& asked, Flavor flavor);

}  // namespace pacenote::sandbox
