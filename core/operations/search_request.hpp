// What the types of the search family have in common (behaviour B.4).
#pragma once

#include <memory>
#include <string>

#include "core/operations/fields.hpp"
#include "core/runner.hpp"

namespace pacenote {

/// `request-params`, and `cache` as request_cache.
Json search_query(const Fields& params);

/// "/a,b/_search", or "/_search" where no index is named.
std::string search_path(const Fields& params);

/// The `body` as an object, which is empty where there is none. UserError for a body that is no object.
Json search_body(const Fields& params);

/// The operation's parameters, with the track's only index or data stream where none is named. UserError
/// where that cannot be, and for a document type.
Json search_params(const Operation& operation, const Track& track);

/// `pages`: a number, or "all" as none. UserError for anything else.
std::optional<std::uint64_t> pages_of(const Fields& params);

}  // namespace pacenote
