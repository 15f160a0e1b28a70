#include "core/bulk_conflicts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <random>

#include "core/error.hpp"

namespace pacenote {
namespace {

/// 53 random bits as a fraction: the standard's distributions differ between libraries, this does not.
double fraction(std::mt19937_64& engine) { return static_cast<double>(engine() >> 11) * 0x1.0p-53; }

std::uint64_t whole(std::mt19937_64& engine, std::uint64_t most) {
  return std::min(most, static_cast<std::uint64_t>(fraction(engine) * (static_cast<double>(most) + 1)));
}

}  // namespace

Chance seeded_chance(std::uint64_t seed) {
  // The four functions draw from one engine, which lives as long as any of them.
  const auto engine = std::make_shared<std::mt19937_64>(seed);
  Chance out;
  out.uniform = [engine] { return fraction(*engine); };
  out.at_most = [engine](std::uint64_t most) { return whole(*engine, most); };
  out.exponential = [engine](double rate) { return -std::log(1 - fraction(*engine)) / rate; };
  out.shuffle = [engine](std::vector<std::uint32_t>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[whole(*engine, i - 1)]);
  };
  return out;
}

DocumentIds::DocumentIds(std::uint64_t first, std::uint64_t count, const BulkParams& params, Chance& chance)
    : first_(first), probability_(params.conflict_probability), recency_(params.recency), chance_(chance) {
  if (params.conflicts != Conflicts::random) return;
  if (count > std::numeric_limits<std::uint32_t>::max())
    throw UserError("random conflicts over more than 4,294,967,295 documents of one client are not possible",
                    "use more clients, or \"conflicts\": \"sequential\"");
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0U);
  chance_.shuffle(order_);
}

std::uint64_t DocumentIds::id_at(std::uint64_t position) const {
  return first_ + (order_.empty() ? position : order_[position]);
}

std::uint64_t DocumentIds::earlier_position() {
  if (recency_ == 0) return chance_.at_most(given_ - 1);
  const double back = std::min(chance_.exponential(30 * recency_), 1.0);
  return static_cast<std::uint64_t>(std::nearbyint(static_cast<double>(given_ - 1) * (1 - back)));
}

DocumentIds::Next DocumentIds::next() {
  if (probability_ > 0 && given_ > 0 && chance_.uniform() <= probability_ / 100)
    return {id_at(earlier_position()), true};
  return {id_at(given_++), false};
}

}  // namespace pacenote
