// Merges segments: in one request, or in the background with a look every poll-period. Elasticsearch: "Force
// merge API", "Task management API".
#include <fmt/format.h>

#include <cstdio>

#include "core/operations/errors.hpp"
#include "core/operations/planned.hpp"
#include "core/operations/source.hpp"
#include "core/operations/steps.hpp"
#include "core/operations/targets.hpp"

namespace pacenote {
namespace {

constexpr Duration kPollPeriod = std::chrono::seconds(10);
constexpr const char* kRunning = "/_tasks?actions=indices:admin/forcemerge";

/// `wait_for_completion=false` works since Elasticsearch 8.1 and OpenSearch 2.7.
bool merges_in_background(std::string_view root_answer) {
  const Json answer = parse_json(root_answer);
  if (!answer.is_object() || !answer.contains("version") || !answer["version"].is_object()) return false;
  const Json& version = answer["version"];
  int major = 0, minor = 0;
  const Json number = version.value("number", Json(""));
  if (!number.is_string() || std::sscanf(number.get<std::string>().c_str(), "%d.%d", &major, &minor) < 2)
    return false;
  const bool opensearch = version.value("distribution", Json()) == "opensearch";
  return opensearch ? major > 2 || (major == 2 && minor >= 7) : major > 8 || (major == 8 && minor >= 1);
}

Json parsed(std::string_view body) {
  Json answer = parse_json(body);
  return answer.is_object() ? answer : Json::object();
}

std::string task_in(std::string_view body) {
  const Json task = parsed(body).value("task", Json());
  return task.is_string() ? task.get<std::string>() : std::string();
}

class ForceMerge final : public Runner {
 public:
  explicit ForceMerge(const Operation& operation) : operation_(operation.name) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    Steps steps(bench, call);
    if (params.text("mode", "blocking") != "polling") {
      const Response merged = co_await steps.send(Method::post, target(params, false));
      steps.accept(merged);
      co_return steps.weighing(1);
    }
    const Duration period = params.seconds("poll-period").value_or(kPollPeriod);
    const Response root = co_await steps.ask("/");
    if (!steps.accept(root)) co_return steps.weighing(0);
    const bool background = merges_in_background(root.body);
    const Response begun = co_await steps.send(Method::post, target(params, background));
    const bool runs_on = !background && begun.failure == Failure::timeout;
    if (!runs_on && !steps.accept(begun)) co_return steps.weighing(0);
    if (background)
      co_await wait_for_task(bench, steps, task_in(begun.body), period);
    else if (runs_on)
      co_await wait_for_all(bench, steps, period);
    co_return steps.weighing(1);
  }

 private:
  static std::string target(const Fields& params, bool background) {
    auto names = named_targets(params);
    if (names.empty()) names.emplace_back("_all");
    Json query = params.object("request-params");
    if (const auto segments = params.count("max-num-segments")) query["max_num_segments"] = *segments;
    if (background) query["wait_for_completion"] = false;
    return fmt::format("{}/_forcemerge{}", path_of(names), query_of(query, true));
  }

  static Async<void> wait_for_task(Bench& bench, Steps& steps, std::string task, Duration period) {
    if (task.empty()) steps.fail("api", "the answer to a background force-merge names no task");
    while (!steps.failed() && !steps.stopped()) {
      co_await pause(bench, period);
      const Response response = co_await steps.ask(fmt::format("/_tasks/{}", url_encode(task)));
      if (!steps.accept(response)) co_return;
      const Json state = parsed(response.body);
      if (state.contains("error")) steps.fail("api", error_text(response.body));
      if (state.value("completed", Json(false)) == true) co_return;
    }
  }

  /// Before background merges: the client gave up, the engine goes on.
  static Async<void> wait_for_all(Bench& bench, Steps& steps, Duration period) {
    while (!steps.stopped()) {
      co_await pause(bench, period);
      const Response response = co_await steps.ask(kRunning);
      if (!steps.accept(response)) co_return;
      if (parsed(response.body).value("nodes", Json()).empty()) co_return;
    }
  }

  static Async<void> pause(Bench& bench, Duration period) {
    const Instant next = bench.clock.now() + period;
    co_await bench.clock.sleep_until(next);
  }

  std::string operation_;
};

std::unique_ptr<Runner> force_merge_runner(const Operation& operation) {
  return std::make_unique<ForceMerge>(operation);
}

std::unique_ptr<ParamSource> force_merge_source(const Operation& operation, const Track& track, Share) {
  const Fields params(operation.params, operation.name);
  const std::string mode = params.text("mode", "blocking");
  if (mode != "blocking" && mode != "polling") params.fail("mode", "must be blocking or polling");
  Json constant = operation.params;
  if (named_targets(params).empty() && !declared_targets(track).empty())
    constant["index"] = declared_targets(track);
  return constant_source(std::move(constant), request_options(operation));
}

const Registered<OperationType> force_merge_type{
    "force-merge",
    {"Merges segments of `index`, or of all the track's indices.", true, false, force_merge_runner,
     force_merge_source, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
