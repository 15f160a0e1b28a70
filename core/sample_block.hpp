// Samples as bytes: what the store keeps and a fleet sends. By column, so that what repeats costs nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/sample.hpp"

namespace pacenote {

/// So many that the names of columns and runs cost nothing, and so few that their memory (280 kB) stays in a
/// cache: 8192 take a fifth more time.
inline constexpr std::size_t kBlockSamples = 2048;

/// Appends samples, at most kBlockSamples of them, as one block to `out`. Instants are kept relative to
/// `epoch`; Instant{} means "did not take place" and stays what it is. Name ids are kept as they are.
void encode_samples(std::span<const Sample> samples, Instant epoch, std::string& out);

/// Appends the block's samples to `out`, their instants counted from `epoch`. Takes any bytes: false, and
/// `out` as it was, for those that are not one whole block.
[[nodiscard]] bool decode_samples(std::string_view block, Instant epoch, std::vector<Sample>& out);

}  // namespace pacenote
