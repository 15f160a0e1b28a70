#include "cli/gates.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "core/text.hpp"

namespace pacenote::cli {

std::vector<reporters::Gate> gates_from(const std::vector<std::string>& texts) {
  std::vector<reporters::Gate> out;
  for (const std::string& text : texts) out.push_back(reporters::gate_from(text));
  return out;
}

std::vector<reporters::Gate> gates_for_race(const std::vector<std::string>& texts,
                                            const Challenge& challenge) {
  std::vector<reporters::Gate> gates = gates_from(texts);
  std::vector<std::string> tasks;
  for (const Parallel& element : challenge.schedule)
    for (const Task& task : element.tasks) tasks.push_back(task.name);
  reporters::check_before_race(gates, tasks);
  return gates;
}

bool show_gates(const std::vector<reporters::GateResult>& results) {
  std::string passed, failed;
  for (const reporters::GateResult& result : results) {
    const std::string task = result.task.empty() ? "" : fmt::format("task {}: ", result.task);
    const std::string groups = result.groups.empty() ? "" : fmt::format("{}: ", result.groups);
    (result.failed ? failed : passed) +=
        printable(fmt::format("[{}] gate {} {}: {}{}", result.failed ? "ERROR" : "INFO", result.gate,
                              result.failed      ? "failed"
                              : result.unchecked ? "not checked"
                                                 : "passed",
                              groups + task, result.words)) +
        "\n";
  }
  std::fputs((passed + failed).c_str(), stderr);
  return !failed.empty();
}

}  // namespace pacenote::cli
