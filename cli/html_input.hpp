// Stored races as the HTML report wants them.
#pragma once

#include "reporters/html/html.hpp"
#include "store/store.hpp"

namespace pacenote::cli {

/// Task by task; `tasks`: of all races of the report together.
reporters::HtmlRace html_race(const store::Store& store, reporters::RacedSide side, std::size_t tasks);

/// The whole file of one race, or of several races or groups laid over each other and compared with the
/// first. `texts` as in group_from(); none: the latest race.
std::string html_of(const store::Store& store, const std::vector<std::string>& texts);

}  // namespace pacenote::cli
