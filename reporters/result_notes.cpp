// What stands under the table, in words (behaviour E.1; cases O2, O9, O10).
#include <fmt/format.h>

#include "reporters/numbers.hpp"
#include "reporters/summary.hpp"

namespace pacenote::reporters {
namespace {

/// As Rally shows it: rounded to two decimals, without needless ones.
std::string percent(double rate) { return shortest(std::stod(fixed(rate * 100, 2))); }

std::string seconds_text(double s) {
  return fmt::format("{:g} s", s < 10 ? std::stod(fixed(s, 1)) : std::stod(fixed(s, 0)));
}

std::string shortened(const std::string& text) {
  constexpr std::size_t most = 200;
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return fmt::format("{}…", text.substr(0, end));
}

bool only_errors(const TaskResult& task) { return task.samples > 0 && task.failed == task.samples; }

std::string error_note(const TaskResult& task) {
  std::string out = fmt::format("task {}: error rate {} %; its times include those of failed requests",
                                task.task, percent(task.error_rate));
  if (!task.errors.empty()) {
    const ErrorCount& most = task.errors.front();
    out += fmt::format("; {} x {}", most.count, shortened(most.text));
    const std::size_t others = task.errors.size() - 1;
    if (others > 0) out += fmt::format(", and {} other kind{} of error", others, others == 1 ? "" : "s");
  }
  return out;
}

std::string missing_throughput(const TaskResult& task) {
  if (task.error_rate >= 1)
    return fmt::format("task {}: no throughput: all of its requests failed", task.task);
  if (task.samples > 0)
    return fmt::format("task {}: no throughput: its requests did no counted work", task.task);
  if (task.warmup_samples == 0)
    return fmt::format("task {}: no throughput: it ended during its warm-up", task.task);
  if (!task.warmup_s) {
    return fmt::format("task {}: no measurement samples: its {} requests were all warm-up", task.task,
                       task.warmup_samples);
  }
  return fmt::format("task {}: no measurement samples: ended after {} of a {} warm-up", task.task,
                     seconds_text(task.elapsed_s), seconds_text(*task.warmup_s));
}

constexpr std::uint64_t kFewSamples = 10;

bool has_few_samples(const TaskResult& task) { return task.samples > 0 && task.samples < kFewSamples; }

}  // namespace

std::string state_note(const TaskResult& task) {
  if (task.state == TaskState::not_run) return fmt::format("task {}: not run", task.task);
  if (task.state == TaskState::complete) return {};
  return fmt::format("task {}: incomplete ({} samples)", task.task, task.samples);
}

std::vector<std::string> result_notes(const Results& results) {
  std::vector<std::string> notes;
  std::size_t failed = 0;
  for (const TaskResult& task : results.tasks) {
    if (task.state != TaskState::complete) notes.push_back(state_note(task));
    if (task.state == TaskState::not_run) continue;
    if (task.error_rate > 0) notes.push_back(error_note(task));
    const bool interrupted_early = task.state == TaskState::incomplete && task.samples == 0;
    if (task.include_in_reporting && !task.throughput.median && !interrupted_early) {
      notes.push_back(missing_throughput(task));
    }
    if (task.include_in_reporting && has_few_samples(task))
      notes.push_back(fmt::format("task {}: few samples: {} (below {} a percentile is one request's time)",
                                  task.task, task.samples, kFewSamples));
    if (only_errors(task)) ++failed;
  }
  if (failed > 0) notes.push_back(fmt::format("{} task{} had only errors", failed, failed == 1 ? "" : "s"));
  return notes;
}

}  // namespace pacenote::reporters
