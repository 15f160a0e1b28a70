#include "core/brief_samples.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace pacenote {
namespace {

bool is_short(Duration duration) {
  return duration >= Duration::zero() && duration.count() <= std::numeric_limits<std::uint32_t>::max();
}

bool alike(const Sample& a, const Sample& b) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  return a.type == b.type && a.unit == b.unit && bits(a.weight) == bits(b.weight) &&
         bits(a.throughput) == bits(b.throughput);
}

}  // namespace

void BriefSamples::add(std::span<const Sample> block) {
  if (block.empty()) return;
  Block& made = blocks_.emplace_back();
  made.like = block.front();
  const auto fits = [&](const Sample& sample) {
    return is_short(sample.sent - sample.begin) && is_short(sample.received - sample.begin) &&
           alike(sample, made.like);
  };
  if (std::ranges::all_of(block, fits)) {
    made.short_ones.reserve(block.size());
    for (const Sample& sample : block)
      made.short_ones.push_back({sample.begin,
                                 static_cast<std::uint32_t>((sample.sent - sample.begin).count()),
                                 static_cast<std::uint32_t>((sample.received - sample.begin).count())});
    return;
  }
  made.wide_ones.reserve(block.size());
  for (const Sample& sample : block)
    made.wide_ones.push_back({sample.begin, sample.sent, sample.received, sample.weight, sample.throughput,
                              sample.unit, sample.type});
}

void BriefSamples::each(const std::function<void(std::span<const Sample>)>& use) const {
  std::vector<Sample> samples;
  for (const Block& block : blocks_) {
    const std::size_t count = std::max(block.short_ones.size(), block.wide_ones.size());
    // The next block is mostly like the one before, and only instants differ.
    if (samples.empty() || !block.wide_ones.empty() || !alike(samples.front(), block.like))
      samples.assign(std::max(count, samples.size()), block.like);
    else if (samples.size() < count)
      samples.resize(count, block.like);
    for (std::size_t i = 0; i < block.short_ones.size(); ++i) {
      const Short& from = block.short_ones[i];
      samples[i].begin = from.begin;
      samples[i].sent = from.begin + Duration(from.to_sent);
      samples[i].received = from.begin + Duration(from.to_received);
    }
    for (std::size_t i = 0; i < block.wide_ones.size(); ++i) {
      const Wide& from = block.wide_ones[i];
      samples[i].begin = from.begin;
      samples[i].sent = from.sent;
      samples[i].received = from.received;
      samples[i].weight = from.weight;
      samples[i].throughput = from.throughput;
      samples[i].unit = from.unit;
      samples[i].type = from.type;
    }
    use(std::span(samples).first(count));
    if (!block.wide_ones.empty()) samples.clear();  // what follows is not like these
  }
}

}  // namespace pacenote
