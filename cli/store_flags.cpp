#include "cli/store_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "cli/terminal.hpp"
#include "core/text.hpp"
#include "tracks/draft.hpp"

namespace pacenote::cli {

void add_store_flag(CLI::App& command, std::string& file) {
  command
      .add_option("--store", file,
                  "The store's file. Default: $PACENOTE_STORE, else in the data folder of the user.")
      ->type_name("FILE");
}

std::filesystem::path store_file(const std::string& file) {
  return file.empty() ? store::default_file() : std::filesystem::path(file);
}

store::Store open_store(const std::string& file) {
  const std::filesystem::path path = store_file(file);
  std::error_code ignored;
  if (path != ":memory:" && !std::filesystem::exists(path, ignored)) {
    throw UserError(fmt::format("there is no store at {}", path.string()),
                    "a race makes it; --store or PACENOTE_STORE name another one");
  }
  return store::Store(path);
}

reporters::ReportOptions ReportFlags::options() const {
  reporters::ReportOptions out;
  out.format = format;
  out.numbers = reporters::align_from(numbers_align);
  out.summary = {reporters::show_from(show), processing_time};
  out.colours = has_colours(1);
  out.exact = exact;
  return out;
}

void add_report_flags(CLI::App& command, ReportFlags& flags, FileMode mode) {
  command
      .add_option("--report-format,--format", flags.format,
                  "One of those that `list formats` shows. Default: markdown.")
      ->type_name("NAME");
  command
      .add_option("--report-file", flags.file,
                  mode == FileMode::append
                      ? "A file to which the report is appended, as Rally does."
                      : "A file into which the report is written; what it held is replaced.")
      ->type_name("FILE");
  command
      .add_option("--report-numbers-align", flags.numbers_align,
                  "right, center, left or decimal. Default: decimal.")
      ->type_name("SIDE");
  command
      .add_option("--show-in-report", flags.show,
                  "Rows: available, all-percentiles or all. Default: available. A comparison shows what is "
                  "available.")
      ->type_name("ROWS");
  command.add_flag("--show-processing-time", flags.processing_time, "Rows of the processing time, too.")
      ->disable_flag_override();
}

void show_head(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::fputs(fmt::format("{}\n", printable(line)).c_str(), stderr);
}

void show_notes(const reporters::Written& written) {
  show_head(written.head);
  for (const std::string& note : written.notes) say("WARNING", note);
}

void show_report(const reporters::Table& table, const ReportFlags& flags, FileMode mode) {
  reporters::ReportOptions options = flags.options();
  const reporters::Written shown = write(table, options);
  show_notes(shown);
  print(shown.text);
  if (flags.file.empty()) return;
  options.colours = false;
  write_file(flags.file, write(table, options).text, mode);
}

namespace {

/// What the race's nodes said of themselves, by field: the value where they agree, else all of them.
Json nodes_of(const store::Store& store, const std::string& race) {
  std::map<std::string, std::set<std::string>> values;
  std::size_t nodes = 0;
  for (const Metric& metric : store.metrics(race, Instant{})) {
    if (metric.name != "node_environment_info") continue;
    ++nodes;
    for (const auto& [key, value] : metric.fields.items()) {
      if (key == "node_name" || key == "host_name") continue;
      values[key].insert(value.is_string() ? value.get<std::string>() : to_text(value));
    }
  }
  Json out = Json::object();
  if (nodes > 0) out["number"] = nodes;
  for (const auto& [key, distinct] : values) out[key] = fmt::format("{}", fmt::join(distinct, " or "));
  return out;
}

/// What summarize() reads of a task, from the result that was saved before it ran.
Task task_of(const TaskResult& result) {
  Task task;
  task.name = result.task;
  task.operation.name = result.operation;
  task.operation.type = result.operation_type;
  task.clients = result.clients;
  if (result.warmup_s) task.limits.warmup = from_seconds(*result.warmup_s);
  if (result.meta.is_object()) task.meta = result.meta;
  task.include_in_reporting = result.include_in_reporting;
  return task;
}

/// A race that ended at once left samples of tasks whose results it could not save any more.
void add_begun(const store::Store& store, const std::string& race, Results& results) {
  for (std::uint32_t i = 0; i < results.tasks.size(); ++i) {
    TaskResult& task = results.tasks[i];
    if (task.state != TaskState::not_run || store.sample_count(race, TaskIndex{i}) == 0) continue;
    Names names;
    task = summarize(task_of(task), task_samples(store, race, TaskIndex{i}, names), names);
    task.state = TaskState::incomplete;
  }
}

}  // namespace

SampleBlocks task_samples(const store::Store& store, const std::string& race, TaskIndex task, Names& names) {
  return [&store, &race, task, &names](const std::function<void(std::span<const Sample>)>& use) {
    store.each_samples(race, task, Instant{}, names, use);
  };
}

reporters::RacedSide read_race(const store::Store& store, const std::string& id) {
  if (!id.empty()) {
    RaceRecord race = store.race(id);
    Results results = store.results(race.id);
    if (race.state != RaceState::finished) add_begun(store, race.id, results);
    Json nodes = nodes_of(store, race.id);
    return {std::move(race), std::move(results), std::move(nodes)};
  }
  store::RaceFilter latest;
  latest.limit = 1;
  std::vector<RaceRecord> races = store.races(latest);
  if (races.empty())
    throw UserError("the store holds no race", "run one first, or name another store with --store");
  return read_race(store, races.front().id);
}

}  // namespace pacenote::cli
