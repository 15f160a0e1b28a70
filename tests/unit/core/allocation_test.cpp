#include "core/allocation.hpp"

#include <iostream>

#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"

namespace pacenote::allocation_test {

Task task_of(const Json& json) {
  Task task;
  task.name = json.value("name", json["operation"].is_string() ? json["operation"].get<std::string>()
                                                               : json["operation"].value("name", ""));
  task.clients = json.value("clients", 1u);
  return task;
}

Challenge challenge_of(const Json& schedule) {
  Challenge challenge;
  for (const Json& item : schedule) {
    Parallel element;
    if (item.contains("parallel")) {
      const Json& parallel = item["parallel"];
      if (parallel.contains("clients")) element.clients = parallel["clients"].get<std::uint32_t>();
      for (const Json& task : parallel["tasks"]) element.tasks.push_back(task_of(task));
    } else {
      element.tasks.push_back(task_of(item));
    }
    challenge.schedule.push_back(element);
  }
  return challenge;
}

/// Rally's matrix row of one client: join points between the steps, null where a client has no task.
Json row(const std::vector<Step>& steps, std::size_t client) {
  Json out = Json::array();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    out.push_back("JP" + std::to_string(i));
    for (const Assignment& a : steps[i].clients[client])
      out.push_back(Json::array({a.task->name, a.client_in_task, a.client_in_step, a.clients_in_step}));
  }
  out.push_back("JP" + std::to_string(steps.size()));
  return out;
}

Json without_fillers(const Json& row) {
  Json out = Json::array();
  for (const Json& cell : row)
    if (!cell.is_null()) out.push_back(cell);
  return out;
}

TEST_CASE("every client gets what Rally's allocation matrix gives it", "[allocation]") {
  const auto path = test::shared("rally/vectors/allocation/allocation.json");
  if (!path) return;
  int passed = 0, different = 0;
  const Json vectors = test::read_json(*path);
  for (const Json& vector : vectors["cases"]) {
    INFO(vector["id"]);
    if (vector.contains("error")) {
      ++different;  // rejected while the track is read, before there is anything to allocate
      continue;
    }
    const Challenge challenge = challenge_of(vector["schedule"]);
    bool empty_element = false;
    for (const Parallel& element : challenge.schedule) empty_element |= element.tasks.empty();
    if (empty_element) {
      ++different;  // Rally keeps a join point for a parallel without tasks (J.3, 7: a bug)
      continue;
    }
    const std::vector<Step> steps = allocate(challenge);
    CHECK(client_count(challenge) == vector["clients"]);
    REQUIRE(vector["rows"].size() == client_count(challenge));
    for (std::size_t client = 0; client < vector["rows"].size(); ++client)
      CHECK(row(steps, client) == without_fillers(vector["rows"][client]));
    ++passed;
  }
  std::cout << "vectors allocation: " << passed << " pass, " << different << " listed differences\n";
  CHECK(passed > 40);
}

TEST_CASE("clients are split over driver threads as over Rally's workers", "[allocation]") {
  CHECK(split_clients(5, 2) == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 3}, {3, 5}});
  CHECK(split_clients(1, 4) == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}});
  CHECK(split_clients(6, 4) ==
        std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 2}, {2, 4}, {4, 5}, {5, 6}});
}

}  // namespace pacenote::allocation_test
