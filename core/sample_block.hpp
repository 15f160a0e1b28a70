// Samples as bytes: what the store keeps and a fleet sends. By column, so that what repeats costs nothing.
#pragma once

#include <array>
#include <optional>
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

/// Reads block after block into the same memory, a third faster: most columns are one value for a whole
/// block, and the same in the next.
class SampleReader {
 public:
  /// The block's samples, valid until the next call; between calls nothing but their names may be changed.
  /// None for bytes that are not one whole block.
  std::optional<std::span<Sample>> read(std::string_view block, Instant epoch);

 private:
  friend class SampleDecoder;
  struct Known {
    std::uint64_t value = 0;
    std::size_t count = 0;  ///< so many samples hold the value
  };
  std::vector<Sample> samples_;
  std::array<Known, 32> known_{};  ///< by column
};

}  // namespace pacenote
