// The statistics of one shard copy as the products name them.
#pragma once

#include "core/sandbox/state.hpp"

namespace pacenote::sandbox {

/// All sections, keyed as in the answer ("docs", "store", …, "merges").
Json shard_stats(const State& state, const Shard& shard, Instant now);

/// Adds up numbers at all depths; other values are taken over.
void add_stats(Json& sum, const Json& part);

/// Of `stats` only the sections that `metrics` ("docs,merge" or "_all") names. False: `unknown` is no metric.
bool choose_sections(Json& stats, const std::string& metrics, std::string& unknown);

}  // namespace pacenote::sandbox
