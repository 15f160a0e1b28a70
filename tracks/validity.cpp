#include "tracks/validity.hpp"

#include "core/bulk_params.hpp"
#include "core/runner.hpp"
#include "tracks/problems.hpp"
#include "tracks/reader.hpp"
#include "tracks/used.hpp"

namespace pacenote::tracks {
namespace {

void try_documents(const Track& track, const Task& task,
                   const std::map<const Documents*, UserError>& missing) {
  for (const Documents* documents : used_by(track, task))
    if (const auto it = missing.find(documents); it != missing.end()) throw it->second;
}

/// Makes what the race would make of the task, but for bulks, whose sources open the documents.
void try_task(const Track& track, const Task& task) {
  const OperationType* type = Registry<OperationType>::find(task.operation.type);
  if (type == nullptr) return;
  if (!task.operation.param_source.empty()) return;
  if (task.operation.type == "bulk") return static_cast<void>(bulk_params(task.operation));
  if (type->runner != nullptr) static_cast<void>(type->runner(task.operation));
  if (type->params != nullptr)
    static_cast<void>(type->params(task.operation, track, Share{0, task.clients - 1, task.clients}));
}

}  // namespace

std::string why_not_raced(const Track& track, const Challenge& challenge, const std::string& plugin,
                          const std::map<const Documents*, UserError>& missing) {
  Problems problems;
  problems.attempt(challenge.name, [&] { check_operations(challenge, plugin); });
  for (const Parallel& step : challenge.schedule)
    for (const Task& task : step.tasks) {
      problems.attempt(task.name, [&] { try_documents(track, task, missing); });
      problems.attempt(task.name, [&] { try_task(track, task); });
    }
  try {
    problems.raise();
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

}  // namespace pacenote::tracks
