#include "core/driver_cost.hpp"

#include <algorithm>
#include <cmath>

namespace pacenote {

namespace {

constexpr double kFirst_ns = 1000;

}  // namespace

void LatenessHistogram::add(Duration late) {
  late = std::max(late, Duration::zero());
  const double octaves = std::log2(std::max(static_cast<double>(late.count()) / kFirst_ns, 1.0));
  const auto index = static_cast<std::size_t>(octaves * kPerOctave);
  ++classes_[std::min(index, classes_.size() - 1)];
  ++count_;
  max_ = std::max(max_, late);
}

void LatenessHistogram::add(const LatenessHistogram& other) {
  for (std::size_t i = 0; i < classes_.size(); ++i) classes_[i] += other.classes_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
}

Duration LatenessHistogram::percentile(double p) const {
  const double rank = p / 100 * static_cast<double>(count_);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < classes_.size() && count_ != 0; ++i) {
    seen += classes_[i];
    if (static_cast<double>(seen) < rank) continue;
    const double bound = kFirst_ns * std::exp2(static_cast<double>(i + 1) / kPerOctave);
    return std::min(max_, Duration(static_cast<std::int64_t>(bound)));
  }
  return Duration::zero();
}

void TaskCost::add(const TaskCost& other) {
  late.add(other.late);
  parameters += other.parameters;
  connecting += other.connecting;
}

}  // namespace pacenote
