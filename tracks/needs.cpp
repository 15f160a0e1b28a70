#include "tracks/needs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/runner.hpp"
#include "core/schedule.hpp"
#include "core/suggest.hpp"
#include "tracks/problems.hpp"
#include "tracks/rally_types.hpp"
#include "tracks/reader.hpp"

namespace pacenote::tracks {
namespace {

std::string_view kind_of_part(Need::Kind kind) {
  if (kind == Need::Kind::operation_type) return "operation type";
  return kind == Need::Kind::parameter_source ? "parameter source" : "scheduler";
}

void note_need(std::vector<Need>& out, Need need) {
  const auto same = [&](const Need& other) { return other.kind == need.kind && other.name == need.name; };
  if (std::none_of(out.begin(), out.end(), same)) out.push_back(std::move(need));
}

std::vector<std::string> known_parts(Need::Kind kind) {
  if (kind == Need::Kind::operation_type) return Registry<OperationType>::names();
  if (kind == Need::Kind::scheduler) return Registry<ScheduleType>::names();
  return {"file-reader"};
}

}  // namespace

std::vector<Need> missing_parts(const Challenge& challenge) {
  using enum Need::Kind;
  std::vector<Need> out;
  for (const Parallel& step : challenge.schedule) {
    for (const Task& task : step.tasks) {
      const Operation& operation = task.operation;
      if (Registry<OperationType>::find(operation.type) == nullptr)
        note_need(out, {operation_type, operation.type, task.name, rally_type(operation.type).has_value()});
      if (!operation.param_source.empty() && operation.param_source != "file-reader")
        note_need(out, {parameter_source, operation.param_source, task.name, false});
      if (task.schedule != "deterministic" && Registry<ScheduleType>::find(task.schedule) == nullptr)
        note_need(out, {scheduler, task.schedule, task.name, task.schedule == "poisson"});
    }
  }
  return out;
}

std::string listed(const std::vector<Need>& needs) {
  using enum Need::Kind;
  std::vector<std::string> out;
  for (const Need::Kind kind : {operation_type, parameter_source, scheduler}) {
    std::vector<std::string> names;
    for (const Need& need : needs)
      if (need.kind == kind) names.push_back(need.name);
    if (!names.empty())
      out.push_back(
          fmt::format("{}{} [{}]", kind_of_part(kind), names.size() > 1 ? "s" : "", fmt::join(names, ", ")));
  }
  return fmt::format("{}", fmt::join(out, ", "));
}

void check_operations(const Challenge& challenge, const std::string& plugin) {
  Problems problems;
  std::vector<Need> of_plugin;
  for (const Need& need : missing_parts(challenge)) {
    const std::string what = fmt::format("task [{}] of challenge [{}] needs {} [{}]", need.task,
                                         challenge.name, kind_of_part(need.kind), need.name);
    if (need.of_rally)
      problems.add(UserError(fmt::format("{}, which pacenote does not have yet", what),
                             "leave the task out by --exclude-tasks"));
    else if (plugin.empty())
      problems.add(UserError(fmt::format("{}, which is unknown", what),
                             suggestion(need.name, known_parts(need.kind))));
    else
      of_plugin.push_back(need);
  }
  if (!of_plugin.empty())
    problems.add(
        UserError(fmt::format("challenge [{}] needs {} of the track's {}, which pacenote does not run yet",
                              challenge.name, listed(of_plugin), plugin),
                  "choose another challenge, or leave the tasks out by --exclude-tasks"));
  problems.raise();
}

}  // namespace pacenote::tracks
