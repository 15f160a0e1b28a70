#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "reporters/comparison.hpp"
#include "reporters/numbers.hpp"
#include "reporters/race_differences.hpp"
#include "reporters/summary.hpp"

namespace pacenote::reporters {
namespace {

std::string shown(const Json& value) {
  if (value.is_null()) return "not given";
  return value.is_string() ? value.get<std::string>() : to_text(value);
}

void add_states(std::vector<std::string>& notes, std::string_view who, const RacedSide& side) {
  if (side.race.state != RaceState::finished) {
    notes.push_back(fmt::format("{} {}: the race is {}, its figures are not whole", who, side.race.id,
                                to_string(side.race.state)));
  }
  for (const TaskResult& task : side.results.tasks) {
    if (task.state != TaskState::complete) notes.push_back(fmt::format("{}: {}", who, state_note(task)));
    if (task.error_rate > 0)
      notes.push_back(fmt::format("{}: task {}: error rate {} %; its times include those of failed requests",
                                  who, task.task, fixed(task.error_rate * 100, 2)));
  }
}

/// The percentage of a change from zero says nothing; without colours the row alone would not, either.
void add_new_errors(std::vector<std::string>& notes, const Results& baseline, const Results& contender) {
  for (const TaskResult& task : baseline.tasks) {
    for (const TaskResult& other : contender.tasks) {
      if (other.task != task.task || task.error_rate != 0 || other.error_rate == 0) continue;
      notes.push_back(fmt::format("task {}: worse: error rate up from 0 % to {} %", task.task,
                                  fixed(other.error_rate * 100, 2)));
    }
  }
}

/// Rally's running mean weighs the begin of a task most: it can rise while less work is done in the time.
void add_contradictions(std::vector<std::string>& notes, const Results& baseline, const Results& contender) {
  const auto change = [](const std::optional<double>& from, const std::optional<double>& to) {
    return from && to && *from > 0 ? *to / *from - 1 : 0;
  };
  for (const TaskResult& task : baseline.tasks) {
    for (const TaskResult& other : contender.tasks) {
      if (other.task != task.task) continue;
      const double mean = change(task.throughput.mean, other.throughput.mean);
      const double overall = change(task.overall_throughput, other.overall_throughput);
      if (mean * overall >= 0 || std::abs(mean - overall) < 0.01) continue;
      notes.push_back(fmt::format(
          "task {}: Mean Throughput (Rally's running mean) changes by {:+.2f} %, the work done in the "
          "task's time by {:+.2f} %; gates on throughput go by the second",
          task.task, mean * 100, overall * 100));
    }
  }
}

void add_race(std::vector<std::string>& lines, const RaceRecord& race) {
  const auto time = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(race.started));
  lines.push_back(fmt::format("  Race ID: {}", race.id));
  lines.push_back(fmt::format("  Race timestamp: {:%Y-%m-%d %H:%M:%S}", fmt::gmtime(time)));
  if (!race.challenge.empty() && !race.challenge_auto_generated) {
    lines.push_back(fmt::format("  Challenge: {}", race.challenge));
  }
  lines.push_back(fmt::format("  Car: {}", race.car));
  if (!race.user_tags.empty()) lines.push_back(fmt::format("  User tags: {}", tags_text(race.user_tags)));
  for (const std::string& annotation : race.annotations)
    lines.push_back(fmt::format("  Note: {}", annotation));
}

}  // namespace

std::string tags_text(const Json& user_tags) {
  std::map<std::string, std::string> sorted;
  for (const auto& [key, value] : user_tags.items()) sorted[key] = shown(value);
  std::string out;
  for (const auto& [key, value] : sorted) out += fmt::format("{}{}={}", out.empty() ? "" : ", ", key, value);
  return out;
}

std::vector<std::string> comparison_head(const RaceRecord& baseline, const RaceRecord& contender) {
  std::vector<std::string> lines{"Comparing baseline"};
  add_race(lines, baseline);
  lines.push_back("with contender");
  add_race(lines, contender);
  return lines;
}

std::vector<std::string> comparison_notes(const RacedSide& baseline, const RacedSide& contender) {
  const RaceRecord& a = baseline.race;
  const RaceRecord& b = contender.race;
  std::vector<std::string> notes, differences;
  for (const Property& property : differing({&baseline, &contender}))
    differences.push_back(fmt::format("{} ({}, {})", property.name, property.values[0], property.values[1]));
  if (!differences.empty())
    notes.push_back(fmt::format("the races differ in {}", fmt::join(differences, ", ")));
  add_states(notes, "baseline", baseline);
  add_states(notes, "contender", contender);
  add_new_errors(notes, baseline.results, contender.results);
  add_contradictions(notes, baseline.results, contender.results);
  if (a.cluster.sandbox || b.cluster.sandbox) {
    notes.push_back(fmt::format("{} ran on pacenote's sandbox: the times say nothing about Elasticsearch",
                                a.cluster.sandbox && b.cluster.sandbox ? "both races"
                                : a.cluster.sandbox                    ? "the baseline"
                                                                       : "the contender"));
  }
  return notes;
}

}  // namespace pacenote::reporters
