#include "cli/track_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "core/guard.hpp"
#include "core/runner.hpp"
#include "core/text.hpp"
#include "tracks/estimate.hpp"
#include "tracks/used.hpp"

namespace pacenote::cli {
namespace {

std::string number_of(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(n), noun, n == 1 ? "" : "s");
}

std::string in_seconds(const Duration& period) {
  return fmt::format("{} s", std::chrono::duration_cast<std::chrono::seconds>(period).count());
}

std::string line_of(const Task& task) {
  std::vector<std::string> parts = {number_of(task.clients, "client")};
  const Limits& limits = task.limits;
  if (limits.ramp_up) parts.push_back(fmt::format("ramp-up {}", in_seconds(*limits.ramp_up)));
  if (limits.warmup && *limits.warmup > Duration::zero())
    parts.push_back(fmt::format("warm-up {}", in_seconds(*limits.warmup)));
  if (limits.warmup_iterations && *limits.warmup_iterations > 0)
    parts.push_back(fmt::format("{} to warm up", number_of(*limits.warmup_iterations, "iteration")));
  if (limits.period) parts.push_back(in_seconds(*limits.period));
  if (limits.iterations) parts.push_back(number_of(*limits.iterations, "iteration"));
  if (task.target) parts.push_back(fmt::format("{:g} {}/s", task.target->per_second, task.target->unit));
  if (task.schedule != "deterministic") parts.push_back(task.schedule);
  if (task.completes_parent) parts.emplace_back("ends the element");
  if (task.any_completes_parent) parts.emplace_back("the first to end ends the element");
  const std::string type = task.name == task.operation.type ? "" : fmt::format(" ({})", task.operation.type);
  return fmt::format("{}{}: {}", task.name, type, fmt::join(parts, ", "));
}

/// What one of its operations cannot even name is left to the race, which checks it again.
template <class Act>
void unless_wrong(const Act& act) {
  try {
    act();
  } catch (const UserError&) {
    return;
  }
}

std::vector<std::string> names_created(const Track& track, const Challenge& challenge) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const Parallel& step : challenge.schedule)
    for (const Task& task : step.tasks) {
      const OperationType* type = Registry<OperationType>::find(task.operation.type);
      if (type == nullptr || type->creates == nullptr) continue;
      unless_wrong([&] {
        for (const std::string& name : type->creates(task.operation, track))
          if (seen.insert(name).second) out.push_back(name);
      });
    }
  return out;
}

std::string listed(const std::string& what, const std::vector<std::string>& names) {
  return fmt::format("{}: {}\n", what, names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace

std::string tree_of(const Challenge& challenge) {
  std::string out;
  for (std::size_t i = 0; i < challenge.schedule.size(); ++i) {
    const Parallel& step = challenge.schedule[i];
    if (step.tasks.size() == 1 && !step.clients) {
      out += fmt::format("{:>4}. {}\n", i + 1, line_of(step.tasks.front()));
      continue;
    }
    out += fmt::format("{:>4}. at the same time, {}\n", i + 1, number_of(step.client_slots(), "client"));
    for (const Task& task : step.tasks) out += fmt::format("      - {}\n", line_of(task));
  }
  return out;
}

std::string plan_of(const Track& track, const Challenge& challenge) {
  std::string out;
  const std::set<const Documents*> used = tracks::used_by(track, challenge);
  for (const Corpus& corpus : track.corpora)
    for (const Documents& documents : corpus.documents)
      if (used.contains(&documents))
        out += fmt::format("Corpus [{}]: {}, {}{}\n", corpus.name, documents.file,
                           number_of(documents.count, "document"),
                           documents.uncompressed_bytes
                               ? fmt::format(", {}", tracks::readable_bytes(*documents.uncompressed_bytes))
                               : "");
  std::vector<std::string> deleted;
  unless_wrong([&] {
    for (const Destroys& one : destroyed_by(challenge, track))
      deleted.push_back(fmt::format("{} {}", noun(one.kind), one.name));
  });
  out += listed("Deletes", deleted) + listed("Creates", names_created(track, challenge));
  return out + fmt::format("Estimate: {}\n", estimate_of(track, challenge));
}

std::string estimate_of(const Track& track, const Challenge& challenge) {
  const tracks::Estimate estimate = tracks::estimate(track, challenge);
  std::string out = fmt::format("{}, {}", number_of(estimate.documents, "document"),
                                number_of(estimate.requests, "request"));
  if (estimate.timed_tasks > 0)
    out += fmt::format(" and what {} of {} send", number_of(estimate.timed_tasks, "timed task"),
                       fmt::format("{} s", estimate.seconds));
  const char* how = !estimate.sizes_known ? "at least " : estimate.generated ? "about " : "";
  const std::uint64_t bytes = estimate.unpacked_bytes + estimate.packed_bytes;
  const bool unknown = bytes == 0 && !estimate.sizes_known;
  out += unknown ? std::string(", on disk nobody knows how much")
                 : fmt::format(", {}{} on disk", how, tracks::readable_bytes(bytes));
  if (estimate.packed_bytes > 0)
    out += fmt::format(" ({} of it archives)", tracks::readable_bytes(estimate.packed_bytes));
  return out;
}

}  // namespace pacenote::cli
