// Challenge -> steps -> what each client does (rally driver.py:2346, behaviour C.1). Pure.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/track.hpp"
#include "core/units.hpp"

namespace pacenote {

struct Assignment {
  const Task* task;  ///< into the Challenge, which must outlive this
  TaskIndex index;
  std::uint32_t client_in_task;   ///< 0-based
  std::uint32_t client_in_step;   ///< Rally's global_client_index: restarts at 0 per step, not folded
  std::uint32_t clients_in_step;  ///< Rally's total_clients: of the whole element
};

/// What runs between two join points: [client][in order]. Ragged: a client may have nothing, or several tasks
/// one after the other where `parallel.clients` is smaller than the tasks ask for.
struct Step {
  std::vector<std::vector<Assignment>> clients;
  TaskIndex first_task{};          ///< the step's tasks have consecutive indices from here
  std::vector<const Task*> tasks;  ///< into the Challenge
};

std::vector<Step> allocate(const Challenge& challenge);

/// Clients of the race: the largest number of slots any step asks for, at least 1.
std::uint32_t client_count(const Challenge& challenge);

/// [first, last) of the race's clients for each of `workers` driver threads: contiguous, sizes differ by at
/// most one, larger ones first; empty ranges are left out (rally driver.py, behaviour C.1).
std::vector<std::pair<std::uint32_t, std::uint32_t>> split_clients(std::uint32_t clients,
                                                                   std::uint32_t workers);

}  // namespace pacenote
