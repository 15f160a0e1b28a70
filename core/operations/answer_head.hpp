// What a search answer says beside its hits.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/json.hpp"
#include "core/runner.hpp"

namespace pacenote {

/// The part of a JSON object before its `hits.hits`; parsing stops there, so that large pages cost nothing.
/// What follows is missed. An empty object if it is no JSON object.
Json answer_head(std::string_view body);

/// `took`, which stands first in a search answer, so that it is found without parsing. None: not there, or
/// not whole.
std::optional<std::int64_t> took_in(std::string_view body);

/// Meta of `detailed-results`: hits, hits_relation, timed_out, shards and, where the engine says so,
/// num_reduce_phases and clusters (rally runner.py, behaviour B.4); `took` has its own place.
void add_details(Outcome& outcome, std::string_view body);

}  // namespace pacenote
