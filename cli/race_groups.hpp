// Which races --baseline and --contender mean.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reporters/groups.hpp"
#include "store/store.hpp"

namespace pacenote::cli {

/// `text`: ids or beginnings of ids, `tag:KEY=VALUE` (finished races that have the tag), `last:N` (the N
/// newest finished races), `last:M-N` (from the M-th newest to the N-th), separated by commas; a race counts
/// once. `last`: at most so many of each tag, the newest; 0: all. UserError where a part means no race.
reporters::Group group_from(const store::Store& store, const std::string& text, std::size_t last);

/// UserError where a race stands in two groups: it would count as proof that nothing differs.
void check_disjoint(const std::vector<reporters::Group>& groups);

/// Whether `text` names one race by its id and could mean no other.
bool is_single(const std::string& text);

/// Several comparisons, by positions in `groups`. `names`: which, as long as `rows`; `notes`: of all.
struct Compared {
  std::vector<std::vector<reporters::GroupRow>> rows;
  std::vector<std::string> names, notes;
};
Compared compared(const std::vector<reporters::Group>& groups,
                  const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                  const reporters::GroupsOptions& options, const reporters::SampleTimes& samples);

/// The raw samples behind the figures; `store` outlives it.
reporters::SampleTimes sample_times(const store::Store& store);

}  // namespace pacenote::cli
