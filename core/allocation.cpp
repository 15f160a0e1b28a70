#include "core/allocation.hpp"

#include <algorithm>

namespace pacenote {

std::uint32_t client_count(const Challenge& challenge) {
  std::uint32_t most = 1;
  for (const Parallel& element : challenge.schedule) most = std::max(most, element.client_slots());
  return most;
}

std::vector<Step> allocate(const Challenge& challenge) {
  const std::uint32_t clients = client_count(challenge);
  std::vector<Step> steps;
  std::uint32_t task_index = 0;
  for (const Parallel& element : challenge.schedule) {
    Step step;
    step.clients.resize(clients);
    step.first_task = TaskIndex{task_index};
    std::uint32_t slot = 0;
    for (const Task& task : element.tasks) {
      for (std::uint32_t i = 0; i < task.clients; ++i, ++slot) {
        // Rally folds by the race's client count, not the element's: kept, so that rows agree (behaviour
        // C.1).
        step.clients[slot % clients].push_back(
            {&task, TaskIndex{task_index}, i, slot, element.client_slots()});
      }
      ++task_index;
      step.tasks.push_back(&task);
    }
    if (!step.tasks.empty()) steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> split_clients(std::uint32_t clients,
                                                                   std::uint32_t workers) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  std::uint32_t begin = 0;
  for (std::uint32_t worker = 0; worker < workers && begin < clients; ++worker) {
    const std::uint32_t size = clients / workers + (worker < clients % workers ? 1 : 0);
    ranges.emplace_back(begin, begin + size);
    begin += size;
  }
  return ranges;
}

}  // namespace pacenote
