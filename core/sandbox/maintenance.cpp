// Refresh, flush, force-merge, and the tasks that a force-merge becomes.
#include <fmt/format.h>

#include "core/sandbox/handlers.hpp"

namespace pacenote::sandbox {
namespace {

constexpr std::string_view kForcemerge = "indices:admin/forcemerge";
constexpr std::size_t kFinishedTasks = 1000;
Json header_of(const State& state, const std::vector<std::string>& names) {
  std::uint64_t total = 0, successful = 0;
  for (const std::string& name : names) {
    const Index& index = state.indices.at(name);
    total += index.shards.size() * (1 + index.replicas);
    successful += index.shards.size() * (1 + state.assigned_replicas(index));
  }
  return {{"_shards", shards_header(total, successful)}};
}

template <class Work>
Answer for_each(State& state, const Call& call, Work work) {
  std::vector<std::string> names;
  Answer answer;
  if (!resolve(state, call, names, answer)) return answer;
  for (const std::string& name : names) work(state.indices.at(name));
  return json_answer(header_of(state, names));
}

std::string task_name(const State& state, const Task& task) {
  return fmt::format("{}:{}", state.nodes.front().id, task.id);
}

Json describe(const State& state, const Task& task, Instant now) {
  return {{"node", state.nodes.front().id},
          {"id", task.id},
          {"type", "transport"},
          {"action", task.action},
          {"description", task.description},
          {"start_time_in_millis", task.started_ms},
          {"running_time_in_nanos", (std::min(now, task.ends) - task.started).count()},
          {"cancellable", false},
          {"headers", Json::object()}};
}

Answer unknown_task(const std::string& name) {
  const Json no_index = {{"type", "index_not_found_exception"},
                         {"reason", "no such index [.tasks]"},
                         {"resource.type", "index_expression"},
                         {"resource.id", ".tasks"},
                         {"index_uuid", "_na_"},
                         {"index", ".tasks"}};
  const std::string node = name.substr(0, name.find(':'));
  const Json inner = {{"type", "resource_not_found_exception"},
                      {"reason", fmt::format("task [{}] isn't running and hasn't stored its results", name)},
                      {"caused_by", no_index}};
  Json error = {
      {"root_cause", Json::array({no_index})},
      {"type", "resource_not_found_exception"},
      {"reason", fmt::format("task [{}] belongs to the node [{}] which isn't part of the cluster and there "
                             "is no record of the task",
                             name, node)},
      {"caused_by", inner}};
  return json_answer({{"error", error}, {"status", 404}}, 404);
}

/// The refusal of a parameter that the product does not know, or of a number that is none.
std::optional<Answer> refuse_forcemerge(const State& state, const Call& call) {
  for (const auto& [name, value] : call.asked.query) {
    const bool known = name == "max_num_segments" || name == "only_expunge_deletes" || name == "flush" ||
                       name == "ignore_unavailable" || name == "allow_no_indices" ||
                       name == "expand_wildcards" || name == "filter_path" || name == "pretty" ||
                       name == "human" || name == "error_trace" ||
                       (name == "wait_for_completion" && state.flavor != Flavor::elasticsearch_7) ||
                       (name == "primary_only" && state.opensearch());
    if (!known)
      return error_answer(
          400, "illegal_argument_exception",
          fmt::format("request [{}] contains unrecognized parameter: [{}]", call.asked.path, name));
    if (name == "max_num_segments" && (value.empty() || value.find_first_not_of("0123456789") != value.npos))
      return error_answer(
          400, "illegal_argument_exception",
          fmt::format("Failed to parse int parameter [max_num_segments] with value [{}]", value));
  }
  return std::nullopt;
}

Task& start_forcemerge(State& state, const Call& call, const std::vector<std::string>& names) {
  const std::uint64_t segments = parse_bytes(call.asked.param("max_num_segments", "0")).value_or(0);
  Task& task = state.tasks[state.next_number];
  task.id = state.next_number++;
  task.action = kForcemerge;
  task.description =
      fmt::format("Force-merge indices [{}], maxSegments[{}], onlyExpungeDeletes[false], flush[true]",
                  fmt::join(names, ", "), segments == 0 ? -1 : static_cast<std::int64_t>(segments));
  task.started = task.ends = call.now;
  task.started_ms = state.now_ms(call.now);
  for (const std::string& name : names)
    task.ends = std::max(task.ends, force_merge(state.indices.at(name), segments, call.now));
  task.response = header_of(state, names);
  while (state.tasks.size() > kFinishedTasks && state.tasks.begin()->second.ends < call.now)
    state.tasks.erase(state.tasks.begin());
  return task;
}

}  // namespace

Answer refresh_indices(State& state, const Call& call) {
  return for_each(state, call, [&](Index& index) { refresh(index, call.now); });
}

Answer flush_indices(State& state, const Call& call) {
  return for_each(state, call, [&](Index& index) { flush(index, call.now); });
}

Answer forcemerge(State& state, const Call& call) {
  std::uint64_t id = call.waited.ticket;
  if (id == 0) {
    if (auto refusal = refuse_forcemerge(state, call)) return *refusal;
    std::vector<std::string> names;
    Answer answer;
    if (!resolve(state, call, names, answer)) return answer;
    const Task& task = start_forcemerge(state, call, names);
    if (!call.asked.flag("wait_for_completion", true)) return json_answer({{"task", task_name(state, task)}});
    id = task.id;
  }
  const Task task = state.tasks.at(id);
  Answer answer = json_answer(task.response);
  if (task.ends > call.now) {
    answer.again = std::min(kAskAgain, task.ends - call.now);
    answer.ticket = id;
  } else {
    state.tasks.erase(id);
  }
  return answer;
}

Answer get_task(State& state, const Call& call) {
  const std::string name = call.at("task");
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos)
    return error_answer(400, "illegal_argument_exception", fmt::format("malformed task id {}", name));
  const auto it = state.tasks.find(parse_bytes(std::string_view(name).substr(colon + 1)).value_or(0));
  if (it == state.tasks.end() || task_name(state, it->second) != name) return unknown_task(name);
  const bool completed = it->second.ends <= call.now;
  Json out = {{"completed", completed}, {"task", describe(state, it->second, call.now)}};
  if (completed) out["response"] = it->second.response;
  return json_answer(out);
}

Answer list_tasks(State& state, const Call& call) {
  const std::string actions = call.asked.param("actions", "*");
  Json running = Json::object();
  for (const auto& [id, task] : state.tasks)
    if (task.ends > call.now && wildcard_match(actions, task.action))
      running[task_name(state, task)] = describe(state, task, call.now);
  Json nodes = Json::object();
  const NodeCounters& node = state.nodes.front();
  if (!running.empty())
    nodes[node.id] = {
        {"name", node.name}, {"host", "127.0.0.1"}, {"ip", "127.0.0.1:9300"}, {"tasks", running}};
  return json_answer({{"nodes", nodes}});
}

}  // namespace pacenote::sandbox
