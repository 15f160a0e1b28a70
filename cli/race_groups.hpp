// Which races --baseline and --contender mean.
#pragma once

#include <CLI/CLI.hpp>
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

/// Flags of the verbs that compare.
struct GroupFlags {
  std::string baseline;
  std::vector<std::string> contenders, primary;
  std::size_t last = 0;
  bool step = false, groups = false;
};
/// `flags` outlives the command.
void add_group_flags(CLI::App& command, GroupFlags& flags);

/// Whether Rally's comparison of two races is meant. UserError for flags that are of groups alone.
bool compares_two(const GroupFlags& flags);

/// The groups that are meant, and which is compared with which, by position.
struct GroupPairs {
  std::vector<reporters::Group> groups;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
};
GroupPairs groups_from(const store::Store& store, const GroupFlags& flags);

/// UserError where a race stands in two groups: it would count as proof that nothing differs.
void check_disjoint(const std::vector<reporters::Group>& groups);

/// Several comparisons, by positions in `groups`. `names`: which, as long as `rows`; `notes`: of all.
struct Compared {
  std::vector<std::vector<reporters::GroupRow>> rows;
  std::vector<std::string> names, notes;
};
Compared compared(const GroupPairs& what, const reporters::GroupsOptions& options,
                  const reporters::SampleTimes& samples);
/// What was found as a table; who is compared and what must be known first above it.
reporters::Table table_of(const GroupPairs& what, const Compared& found);

/// The raw samples behind the figures; `store` outlives it.
reporters::SampleTimes sample_times(const store::Store& store);

}  // namespace pacenote::cli
