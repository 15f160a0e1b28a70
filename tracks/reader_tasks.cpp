#include <fmt/format.h>
#include <fmt/ranges.h>

#include <regex>
#include <set>

#include "core/runner.hpp"
#include "core/schedule.hpp"
#include "core/suggest.hpp"
#include "tracks/reader_parts.hpp"

namespace pacenote::tracks {
namespace {

void check_types(const Json& spec, const std::string& type, const std::string& where) {
  if ((type == "search" || type == "scroll-search") && spec.contains("type"))
    wrong(where, "`type` is not supported: document types no longer exist in Elasticsearch");
}

/// An operation object, or the bare name of an operation type.
Operation read_operation(const Json& spec, const std::string& where) {
  Operation out;
  if (spec.is_string()) {
    out.name = out.type = spec.get<std::string>();
  } else {
    if (!spec.contains("operation-type")) wrong(where, "`operation-type` is missing");
    if (!spec["operation-type"].is_string()) wrong(where, "`operation-type` must be text");
    out.type = spec["operation-type"].get<std::string>();
    if (spec.contains("name") && !spec["name"].is_string()) wrong(where, "`name` must be text");
    out.name = spec.value("name", out.type);
    if (spec.contains("param-source") && !spec["param-source"].is_string())
      wrong(where, "`param-source` must be text");
    out.param_source = spec.value("param-source", std::string());
    out.params = spec;
    check_types(spec, out.type, where);
  }
  if (out.params.contains("include-in-results_publishing") && !out.params.contains("include-in-reporting"))
    out.params["include-in-reporting"] = out.params["include-in-results_publishing"];  // OSB's word
  const OperationType* type = Registry<OperationType>::find(out.type);
  if (type != nullptr && !out.params.contains("include-in-reporting"))
    out.params["include-in-reporting"] = !type->admin;
  if (out.params.contains("include-in-reporting") && !out.params["include-in-reporting"].is_boolean())
    wrong(where, "`include-in-reporting` must be true or false");
  return out;
}

std::optional<std::uint64_t> count(const Json& task, const char* key) {
  if (!task.contains(key)) return std::nullopt;
  return task[key].get<std::uint64_t>();
}

std::optional<Duration> period(const Json& task, const char* key) {
  if (!task.contains(key)) return std::nullopt;
  return std::chrono::seconds(task[key].get<std::uint32_t>());
}

Limits read_limits(const Json& task) {
  Limits out;
  out.warmup_iterations = count(task, "warmup-iterations");
  out.iterations = count(task, "iterations");
  out.warmup = period(task, "warmup-time-period");
  out.period = period(task, "time-period");
  out.ramp_up = period(task, "ramp-up-time-period");
  return out;
}

void check_limits(const Limits& limits, const std::string& where) {
  if (limits.warmup_iterations && limits.period)
    wrong(where, "`warmup-iterations` and `time-period` exclude each other");
  if (limits.warmup && limits.iterations)
    wrong(where, "`warmup-time-period` and `iterations` exclude each other");
  if (!limits.ramp_up) return;
  if (limits.warmup_iterations || limits.iterations)
    wrong(where, "`ramp-up-time-period` does not go with iterations");
  if (!limits.warmup) wrong(where, "`ramp-up-time-period` needs a `warmup-time-period`");
  if (*limits.warmup < *limits.ramp_up)
    wrong(where, "`warmup-time-period` is shorter than `ramp-up-time-period`");
}

std::vector<std::string> read_tags(const Json& task) {
  if (!task.contains("tags")) return {};
  if (task["tags"].is_string()) return {task["tags"].get<std::string>()};
  std::vector<std::string> out;
  for (const Json& tag : task["tags"])
    if (tag.is_string()) out.push_back(tag.get<std::string>());  // what is none the schema has refused
  return out;
}

/// "fatal" is what public tracks write for the default: an error is as bad as --on-error says.
bool is_non_fatal(const Json& task, const std::string& where) {
  const Json level = task.value("ignore-response-error-level", Json());
  if (!level.is_null() && level != "non-fatal" && level != "fatal")
    wrong(where,
          fmt::format("`ignore-response-error-level` can only be \"non-fatal\" (or \"fatal\", the default); "
                      "found {}",
                      to_text(level)));
  return level == "non-fatal";
}

Task read_task(const Json& json, const Operations& operations, const std::string& where) {
  Task out;
  const Json& operation = json["operation"];
  const auto declared =
      operation.is_string() ? operations.find(operation.get<std::string>()) : operations.end();
  out.operation = declared != operations.end()
                      ? declared->second
                      : read_operation(operation, fmt::format("{}.operation", where));
  if (json.contains("clients_list"))
    wrong(where, "`clients_list` is not supported", "write one task for each number of clients");
  out.name = json.value("name", out.operation.name);
  out.clients = json.value("clients", 1U);
  out.limits = read_limits(json);
  check_limits(out.limits, where);
  out.target = target_of(json, where);
  out.schedule = json.value("schedule", std::string("deterministic"));
  out.include_in_reporting = out.operation.params.value("include-in-reporting", true);
  out.errors_non_fatal = is_non_fatal(json, where);
  out.tags = read_tags(json);
  out.meta = json.value("meta", Json::object());
  out.params = json;
  return out;
}

void mark_completing(const Json& parallel, std::vector<Task>& tasks, const std::string& where) {
  const std::string by = parallel.value("completed-by", std::string());
  if (by.empty()) return;
  std::vector<std::string> names;
  std::size_t marked = 0;
  for (Task& task : tasks) {
    names.push_back(task.name);
    if (by == "any") task.any_completes_parent = true;
    task.completes_parent = by != "any" && task.name == by;
    marked += by == "any" || task.completes_parent ? 1 : 0;
  }
  if (marked == 0)
    wrong(where, fmt::format("`completed-by` names no task of this element: {}", by), suggestion(by, names));
  if (marked > 1 && by != "any") wrong(where, fmt::format("`completed-by` fits {} tasks: {}", marked, by));
}

Parallel read_parallel(const Json& json, const Operations& operations, const std::string& where,
                       Problems& problems) {
  Parallel out;
  if (json.contains("clients")) out.clients = json["clients"].get<std::uint32_t>();
  for (std::size_t i = 0; i < json["tasks"].size(); ++i) {
    const std::string at = fmt::format("{}.tasks[{}]", where, i);
    Json task = json["tasks"][i];
    if (task.is_null()) continue;
    problems.attempt(at, [&] {
      if (task.contains("ramp-up-time-period") &&
          task["ramp-up-time-period"] != json.value("ramp-up-time-period", Json()))
        wrong(at, "`ramp-up-time-period` must be that of the parallel element");
      for (const char* key :
           {"warmup-iterations", "iterations", "warmup-time-period", "time-period", "ramp-up-time-period"})
        if (json.contains(key) && !task.contains(key)) task[key] = json[key];
      out.tasks.push_back(read_task(task, operations, at));
    });
  }
  if (out.tasks.size() == json["tasks"].size()) mark_completing(json, out.tasks, where);
  return out;
}

void check_names(const std::vector<Parallel>& schedule, const std::string& where) {
  std::set<std::string> names;
  for (const Parallel& step : schedule)
    for (const Task& task : step.tasks)
      if (!names.insert(task.name).second)
        wrong(where, fmt::format("two tasks are named [{}]", task.name), "give one of them another `name`");
}

}  // namespace

Operations read_operations(const Json& track, const ReadContext& context, Problems& problems) {
  Operations out;
  if (!track.contains("operations")) return out;
  for (std::size_t i = 0; i < track["operations"].size(); ++i) {
    const std::string where = fmt::format("{}: operations[{}]", context.file, i);
    if (track["operations"][i].is_null()) continue;
    problems.attempt(where, [&] {
      const Operation operation = read_operation(track["operations"][i], where);
      if (!out.emplace(operation.name, operation).second)
        wrong(where, fmt::format("two operations are named [{}]", operation.name));
    });
  }
  return out;
}

std::vector<Parallel> read_schedule(const Json& schedule, const Operations& operations,
                                    const std::string& where, Problems& problems) {
  std::vector<Parallel> out;
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    const std::string at = fmt::format("{}[{}]", where, i);
    if (schedule[i].is_null()) continue;
    problems.attempt(at, [&] {
      if (schedule[i].contains("parallel")) {
        out.push_back(
            read_parallel(schedule[i]["parallel"], operations, fmt::format("{}.parallel", at), problems));
      } else {
        Parallel one;
        one.tasks.push_back(read_task(schedule[i], operations, at));
        out.push_back(std::move(one));
      }
    });
  }
  problems.attempt(where, [&] { check_names(out, where); });
  return out;
}

std::optional<TargetThroughput> target_of(const Json& task, const std::string& where) {
  const auto is_set = [&](const char* key) {
    const Json value = task.value(key, Json());
    return !value.is_null() && value != Json(false) && value != Json("") && value != Json(0) &&
           !value.empty();
  };
  const bool rate = is_set("target-throughput"), interval = is_set("target-interval");
  if (rate && interval) wrong(where, "`target-throughput` and `target-interval` exclude each other");
  if (!rate && !interval) return std::nullopt;
  const char* key = rate ? "target-throughput" : "target-interval";
  const Json& value = task[key];
  if (value.is_number()) return TargetThroughput{rate ? value.get<double>() : 1 / value.get<double>(), "ops"};
  // Matched at the start only, as Rally does: what follows the unit is not looked at.
  static const std::regex pattern(R"(((?:\d*\.)?\d+)\s(\w+)/s)");
  std::smatch match;
  const std::string written = value.is_string() ? value.get<std::string>() : std::string();
  if (!rate || !std::regex_search(written, match, pattern, std::regex_constants::match_continuous))
    wrong(where, fmt::format("`{}` cannot be read: {}", key, to_text(value)),
          rate ? "a number (ops/s) or a number with its unit, as in \"5000 docs/s\"" : "a number of seconds");
  return TargetThroughput{std::stod(match[1].str()), match[2].str()};
}

}  // namespace pacenote::tracks
