#include "core/bulk_conflicts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "core/error.hpp"
#include "core/random.hpp"

namespace pacenote {

Chance seeded_chance(std::uint64_t seed) {
  // The four functions draw from one stream, which lives as long as any of them.
  const auto random = std::make_shared<Random>(seed);
  Chance out;
  out.uniform = [random] { return random->unit(); };
  out.at_most = [random](std::uint64_t most) { return random->below(most + 1); };
  out.exponential = [random](double rate) { return -std::log(1 - random->unit()) / rate; };
  out.shuffle = [random](std::vector<std::uint32_t>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random->below(i)]);
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
