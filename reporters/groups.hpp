// Groups of races, each against another: is the difference real?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/statistics/interval.hpp"
#include "reporters/comparison.hpp"
#include "reporters/quantity.hpp"

namespace pacenote::reporters {

struct Group {
  std::string label;  ///< as the user named it
  std::vector<RacedSide> races;
};

/// What carries the verdict, at most ten: "METRIC", or "GLOB: METRIC" of the tasks that match.
struct Primary {
  std::string tasks = "*";
  Quantity quantity;
};
inline constexpr std::size_t kMostPrimary = 10;
/// UserError for an unknown metric.
Primary primary_from(const std::string& text);

enum class Verdict : std::uint8_t { better, worse, none_shown, cannot_tell };

/// One metric of one task, or of the whole cluster (then `task` is empty), in two groups. Values of the
/// quantity itself: ratios are not percent.
struct GroupRow {
  Quantity quantity;
  std::string task, unit;
  std::vector<double> baseline, contender;  ///< one value a race; one of them may be empty
  double baseline_centre = 0,
         contender_centre = 0;  ///< percentiles: of the pooled samples where there are any
  statistics::Shift shift = {};
  double p = 1;  ///< of primary rows adjusted for all of them
  bool primary = false;
  bool whole = true;  ///< all races that the values come from, and their task, ran to their end
  Verdict verdict = Verdict::cannot_tell;
  std::string why = {};                  ///< of cannot_tell
  std::optional<double> noise = {};      ///< how much one race differs from the next
  std::optional<std::size_t> more = {};  ///< further races of each group that would show the difference seen

  double baseline_failed = 0, contender_failed = 0;  ///< of the task's requests, [0, 1], mean of the races

  bool one_sided() const { return baseline.empty() || contender.empty(); }
};

/// `primary` empty: the error rate of tasks that had errors, then throughput, then 99th percentile latency,
/// then median latency of the tasks in order.
struct GroupsOptions {
  std::vector<Primary> primary;
  std::vector<Primary> further;  ///< exploratory rows beside the usual ones
};
/// Rows: primary ones first. UserError where more than ten metrics would be primary, or a wish fits no task.
std::vector<GroupRow> compare_groups(const Group& baseline, const Group& contender,
                                     const GroupsOptions& options, const SampleTimes& samples);

/// The rows of one comparison or of several; `names`: which, as long as `comparisons`; shown if several.
Table groups_table(const std::vector<std::vector<GroupRow>>& comparisons,
                   const std::vector<std::string>& names);

/// Who is in the groups, and what differs between them: what must be known before a figure is looked at.
std::vector<std::string> groups_head(const std::vector<Group>& groups);
std::vector<std::string> groups_notes(const Group& baseline, const Group& contender);

/// What two single races cannot tell, and how many more could.
std::vector<std::string> single_race_notes(const RacedSide& baseline, const RacedSide& contender,
                                           const SampleTimes& samples);

std::string_view to_string(Verdict verdict);

}  // namespace pacenote::reporters
