// What is left of a challenge: --include-tasks, --exclude-tasks, --test-mode.
#pragma once

#include <string>
#include <vector>

#include "core/track.hpp"

namespace pacenote::tracks {

/// Keeps the tasks that match one of `include`, or drops those that match one of `exclude`; items are NAME,
/// type:TYPE, tag:TAG. UserError where both are given, an item cannot be read or matches nothing (with the
/// nearest name), or nothing would be left. A parallel element left without tasks goes (Rally keeps it).
void filter_tasks(Challenge& challenge, const std::vector<std::string>& include,
                  const std::vector<std::string>& exclude);

/// Of all its operations, those within composites too: without --enable-assertions nothing is asserted.
void drop_assertions(Challenge& challenge);

/// Few documents, iterations and seconds, no throttling (rally loader.py:1083, behaviour A.5.3).
void apply_test_mode(Track& track);

/// Takes out the top-level tasks that cannot run on Elastic's serverless offering (behaviour A.5.3) and
/// returns their names. `run-on-serverless` of the task, else of its operation, decides before Rally's list
/// of types.
std::vector<std::string> filter_serverless(Challenge& challenge, bool is_operator);

}  // namespace pacenote::tracks
