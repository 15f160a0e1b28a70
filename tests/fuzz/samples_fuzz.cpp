// Any bytes as a block of samples; what decodes encodes to samples that decode the same.
#include <cstdint>
#include <string>

#include "core/sample_block.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<pacenote::Sample> samples, again;
  const std::string_view block(reinterpret_cast<const char*>(data), size);
  const pacenote::Instant epoch{};
  if (!pacenote::decode_samples(block, epoch, samples) || samples.size() > pacenote::kBlockSamples) return 0;
  std::string encoded;
  pacenote::encode_samples(samples, epoch, encoded);
  const bool decoded = pacenote::decode_samples(encoded, epoch, again);
  if (!decoded || again.size() != samples.size()) __builtin_trap();
  return 0;
}
