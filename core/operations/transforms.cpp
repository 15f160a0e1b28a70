// Transforms: made, started, watched, waited for, deleted. Elasticsearch: "Transform APIs".
#include <fmt/format.h>

#include <optional>

#include "core/operations/condition.hpp"
#include "core/operations/planned.hpp"
#include "core/operations/steps.hpp"
#include "core/retry.hpp"

namespace pacenote {
namespace {

std::string transform_path(const Fields& params) {
  return fmt::format("/_transform/{}", url_encode(params.mandatory_text("transform-id")));
}

Plan create_transform_plan(const Fields& params) {
  params.mandatory("body");
  Json query = params.object("request-params");
  query["defer_validation"] = params.flag("defer-validation").value_or(false);
  return {Method::put, transform_path(params) + query_of(query, true), to_text(params.object("body")),
          Media::json};
}

Plan start_transform_plan(const Fields& params) {
  Json query = params.object("request-params");
  if (const auto timeout = params.text("timeout")) query["timeout"] = *timeout;
  return {Method::post, fmt::format("{}/_start{}", transform_path(params), query_of(query, true)), "",
          Media::none};
}

Plan delete_transform_plan(const Fields& params) {
  Json query = params.object("request-params");
  query["force"] = params.flag("force").value_or(false);
  Plan out{Method::del, transform_path(params) + query_of(query, true), "", Media::none};
  out.also_good = {404};
  return out;
}

Plan transform_stats_plan(const Fields& params) {
  return {Method::get, transform_path(params) + "/_stats", "", Media::none};
}

/// Statistics of the first transform of an answer; an empty object: none.
Json first_transform(std::string_view body) {
  const Json list = list_at(parse_json(body), "transforms");
  return !list.empty() && list.front().is_object() ? list.front() : Json::object();
}

std::unique_ptr<Runner> transform_stats_runner(const Operation& operation) {
  return asks_for_condition(operation, transform_stats_plan, first_transform);
}

/// How far a transform is.
struct TransformState {
  std::string state, reason;
  double documents = 0, millis = 0;
  std::optional<double> progress;

  static TransformState of(const Json& said) {
    TransformState out{
        text_at(said, "state"), text_at(said, "reason"), number_at(said, "stats.documents_processed"), 0, {}};
    for (const char* key : {"search_time_in_ms", "processing_time_in_ms", "index_time_in_ms"})
      out.millis += number_at(said, fmt::format("stats.{}", key));
    const Json percent = value_at(said, "checkpointing.next.checkpoint_progress.percent_complete");
    if (percent.is_number()) out.progress = percent.get<double>() / 100;
    return out;
  }
};

/// Stops the transform at its next checkpoint and follows it there: one outcome for every 5,000 documents
/// that took half a second or more, and one at the end (rally runner.py, behaviour B.8).
class WaitForTransform final : public Runner {
 public:
  explicit WaitForTransform(const Operation& operation) : operation_(operation.name) {}

  std::optional<double> progress() const override { return progress_; }

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    const std::string path = transform_path(params);
    const Duration interval = params.seconds("poll-interval").value_or(std::chrono::milliseconds(500));
    Steps steps(bench, call);
    Waiting waiting(bench.clock);
    if (!asked_) {
      const Instant now = bench.clock.now();
      std::string stop = path + "/_stop" + stop_query(params);
      const Response response = co_await steps.send(Method::post, std::move(stop));
      if (!steps.accept(response)) co_return std::move(steps.outcome());
      asked_ = now;
    }
    for (;;) {
      std::string target = path + "/_stats";
      const Response response = co_await steps.send(Method::get, std::move(target));
      if (!steps.accept(response)) co_return std::move(steps.outcome());
      const TransformState now = TransformState::of(first_transform(response.body));
      if (const std::string why = trouble(bench, params, now); !why.empty()) {
        steps.fail("condition", why);
        steps.outcome().fatal = true;  // what comes after it in a track counts on the transform's index
        co_return std::move(steps.outcome());
      }
      if (take(steps.outcome(), params, now)) co_return std::move(steps.outcome());
      waiting.say(bench, fmt::format("the transform is {}", now.state));
      const Instant next = bench.clock.now() + interval;
      co_await bench.clock.sleep_until(next);
      if (bench.stop.requested()) {
        steps.fail("condition", fmt::format("the transform is still {}", now.state));
        co_return std::move(steps.outcome());
      }
    }
  }

 private:
  static std::string stop_query(const Fields& params) {
    Json query = {{"force", params.flag("force").value_or(false)},
                  {"wait_for_checkpoint", params.flag("wait-for-checkpoint").value_or(true)},
                  {"wait_for_completion", false}};
    if (const auto timeout = params.text("timeout")) query["timeout"] = *timeout;
    return query_of(query, true);
  }

  std::string trouble(const Bench& bench, const Fields& params, const TransformState& now) const {
    if (now.state == "failed") return fmt::format("the transform failed: {}", now.reason);
    const double patience = params.number("transform-timeout").value_or(3600);
    const bool over = seconds(bench.clock.now() - *asked_) > patience;
    const bool done = now.state == "stopped" || !params.flag("wait-for-completion").value_or(true);
    return over && !done ? fmt::format("the transform is still {} after {} s", now.state, patience) : "";
  }

  /// True: it is worth an outcome.
  bool take(Outcome& outcome, const Fields& params, const TransformState& now) {
    constexpr double kDocuments = 5000, kMillis = 500;
    const bool done = now.state == "stopped" || !params.flag("wait-for-completion").value_or(true);
    if (done)
      progress_ = 1;
    else if (now.progress)
      progress_ = *now.progress;
    const double documents = now.documents - before_.documents, millis = now.millis - before_.millis;
    if (!done && !(documents > kDocuments && millis > kMillis)) return false;
    outcome.weight = {now.documents, "docs"};
    outcome.meta["transform-id"] = params.mandatory_text("transform-id");
    const double of = done ? now.documents : documents, in = done ? now.millis : millis;
    if (in > 0) outcome.throughput = of / in * 1000;
    before_ = now;
    return true;
  }

  std::string operation_;
  std::optional<Instant> asked_;  ///< to stop; none: not yet
  std::optional<double> progress_ = 0.0;
  TransformState before_;
};

std::vector<Destroys> transform_destroys(const Operation& operation, const Track&) {
  const auto id = Fields(operation.params, operation.name).text("transform-id");
  if (!id) return {};
  return {{Destroys::Kind::transform, *id}};
}

template <Planner plan>
std::unique_ptr<Runner> transform_runner(const Operation& operation) {
  return planned_runner(operation, plan);
}

std::unique_ptr<Runner> wait_for_transform_runner(const Operation& operation) {
  return std::make_unique<WaitForTransform>(operation);
}

const Registered<OperationType> create_transform_type{
    "create-transform",
    {"Creates a transform.", true, true, transform_runner<create_transform_plan>, constant_params, nullptr,
     nullptr}};
const Registered<OperationType> start_transform_type{
    "start-transform",
    {"Starts a transform.", true, true, transform_runner<start_transform_plan>, constant_params, nullptr,
     nullptr}};
const Registered<OperationType> delete_transform_type{
    "delete-transform",
    {"Deletes a transform, if it exists.", true, true, transform_runner<delete_transform_plan>,
     constant_params, transform_destroys, nullptr}};
const Registered<OperationType> transform_stats_type{
    "transform-stats",
    {"Asks for a transform's statistics; with `condition`, whether one has a value.", true, true,
     transform_stats_runner, constant_params, nullptr, nullptr}};
const Registered<OperationType> wait_for_transform_type{
    "wait-for-transform",
    {"Stops a transform at its next checkpoint and follows it there.", true, true, wait_for_transform_runner,
     constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
