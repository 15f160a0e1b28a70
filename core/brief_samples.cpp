#include "core/brief_samples.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace pacenote {
namespace {

bool is_brief(Duration duration) {
  return duration >= Duration::zero() && duration.count() <= std::numeric_limits<std::uint32_t>::max();
}

bool all_brief(const Sample& sample) {
  return is_brief(sample.begin - sample.due) && is_brief(sample.sent - sample.begin) &&
         is_brief(sample.received - sample.begin) && is_brief(sample.end - sample.begin);
}

bool alike(const Sample& a, const Sample& b) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  return a.type == b.type && a.throttled == b.throttled && a.unit == b.unit &&
         bits(a.weight) == bits(b.weight) && bits(a.throughput) == bits(b.throughput);
}

}  // namespace

template <class Distance>
BriefSamples::Times<Distance> BriefSamples::times_of(const Sample& sample) {
  const auto distance = [](Duration duration) { return static_cast<Distance>(duration.count()); };
  return {sample.begin, distance(sample.begin - sample.due), distance(sample.sent - sample.begin),
          distance(sample.received - sample.begin), distance(sample.end - sample.begin)};
}

template <class Distance>
void BriefSamples::set(Sample& sample, const Times<Distance>& times) {
  sample.begin = times.begin;
  sample.due = times.begin - Duration(times.due);
  sample.sent = times.begin + Duration(times.sent);
  sample.received = times.begin + Duration(times.received);
  sample.end = times.begin + Duration(times.end);
}

void BriefSamples::add(std::span<const Sample> block) {
  if (block.empty()) return;
  Block& made = blocks_.emplace_back();
  made.like = block.front();
  made.like.ok = true;
  for (std::size_t i = 0; i < block.size(); ++i)
    if (!block[i].ok) made.failed.push_back(static_cast<std::uint32_t>(i));
  if (!std::ranges::all_of(block, [&](const Sample& sample) { return alike(sample, made.like); })) {
    made.wide.reserve(block.size());
    for (const Sample& sample : block)
      made.wide.push_back({times_of<std::int64_t>(sample), sample.weight, sample.throughput, sample.unit,
                           sample.type, sample.throttled});
  } else if (std::ranges::all_of(block, all_brief)) {
    made.brief.reserve(block.size());
    for (const Sample& sample : block) made.brief.push_back(times_of<std::uint32_t>(sample));
  } else {
    made.lengthy.reserve(block.size());
    for (const Sample& sample : block) made.lengthy.push_back(times_of<std::int64_t>(sample));
  }
}

void BriefSamples::each(const std::function<void(std::span<const Sample>)>& use) const {
  std::vector<Sample> samples;
  for (const Block& block : blocks_) {
    const std::size_t count = std::max({block.brief.size(), block.lengthy.size(), block.wide.size()});
    // The next block is mostly like the one before, and only instants differ.
    if (samples.empty() || !alike(samples.front(), block.like))
      samples.assign(std::max(count, samples.size()), block.like);
    else if (samples.size() < count)
      samples.resize(count, block.like);
    for (std::size_t i = 0; i < block.brief.size(); ++i) set(samples[i], block.brief[i]);
    for (std::size_t i = 0; i < block.lengthy.size(); ++i) set(samples[i], block.lengthy[i]);
    for (std::size_t i = 0; i < block.wide.size(); ++i) {
      const Wide& from = block.wide[i];
      set(samples[i], from.times);
      samples[i].weight = from.weight;
      samples[i].throughput = from.throughput;
      samples[i].unit = from.unit;
      samples[i].type = from.type;
      samples[i].throttled = from.throttled;
    }
    for (const std::uint32_t position : block.failed) samples[position].ok = false;
    use(std::span(samples).first(count));
    for (const std::uint32_t position : block.failed) samples[position].ok = true;
    if (!block.wide.empty()) samples.clear();  // what follows is not like these
  }
}

}  // namespace pacenote
