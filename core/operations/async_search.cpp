// Searches that run on without us, within a composite. Elasticsearch: "Async search API".
#include <fmt/format.h>

#include "core/operations/condition.hpp"
#include "core/operations/planned.hpp"
#include "core/operations/shared_ids.hpp"
#include "core/operations/steps.hpp"

namespace pacenote {
namespace {

std::string async_path(const std::string& id, const Fields& params) {
  return fmt::format("/_async_search/{}{}", url_encode(id), query_of(params.object("request-params"), true));
}

class SubmitAsync final : public Runner {
 public:
  explicit SubmitAsync(const Operation& operation) : operation_(operation.name) {}
  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    const std::string name = params.mandatory_text("name");
    std::string body = body_text(params.mandatory("body"));
    Json query = params.object("request-params");
    if (!query.contains("wait_for_completion_timeout")) query["wait_for_completion_timeout"] = 0;
    const std::vector<std::string> index = params.list("index");
    std::string target =
        fmt::format("{}/_async_search{}", index.empty() ? "" : path_of(index), query_of(query, true));
    Steps steps(bench, call);
    const Response response = co_await steps.send(Method::post, std::move(target), std::move(body));
    if (steps.accept(response)) {
      const Json answer = parse_json(response.body);
      const Json id = answer.is_object() ? answer.value("id", Json()) : Json();
      if (id.is_string())
        leave_id(bench, params, name, id.get<std::string>());
      else
        steps.fail("condition", "the search was over before it had an id");
    }
    co_return std::move(steps.outcome());
  }

 private:
  std::string operation_;
};

/// What Rally keeps of a search's response.
Json async_stats(const Json& answer) {
  const Json response = value_at(answer, "response");
  Json out = {{"timed_out", value_at(response, "timed_out")}, {"took", value_at(response, "took")}};
  const Json total = value_at(response, "hits.total");
  if (total.is_null()) return out;
  out["hits"] = total.is_object() ? value_at(total, "value") : total;
  out["hits_relation"] = total.is_object() ? value_at(total, "relation") : Json("eq");
  return out;
}

/// Asks until none of the searches runs any more, as Rally does without being told to.
class GetAsync final : public Runner {
 public:
  explicit GetAsync(const Operation& operation) : operation_(operation.name) {}
  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    params.mandatory("retrieve-results-for");
    const bool patient = params.flag("retry-until-success").value_or(true);
    const Duration wait = params.seconds("retry-wait-period").value_or(std::chrono::milliseconds(500));
    const std::vector<std::string> names = params.list("retrieve-results-for");
    Steps steps(bench, call);
    for (;;) {
      Json stats = Json::object();
      bool running = false;
      for (const std::string& name : names) {
        std::string target = async_path(id_left_by(bench, params, "retrieve-results-for", name), params);
        const Response response = co_await steps.send(Method::get, std::move(target));
        if (!steps.accept(response)) co_return std::move(steps.outcome());
        const Json answer = parse_json(response.body);
        const bool done = answer.is_object() && answer.value("is_running", Json()) != true;
        if (done) stats[name] = async_stats(answer);
        running = running || !done;
      }
      if (!running) {
        steps.outcome().meta["stats"] = std::move(stats);
        co_return steps.weighing(static_cast<double>(names.size()));
      }
      if (!patient || steps.stopped()) {
        steps.fail("condition", "a search still runs");
        co_return std::move(steps.outcome());
      }
      const Instant next = bench.clock.now() + wait;
      co_await bench.clock.sleep_until(next);
    }
  }

 private:
  std::string operation_;
};

class DeleteAsync final : public Runner {
 public:
  explicit DeleteAsync(const Operation& operation) : operation_(operation.name) {}
  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    params.mandatory("delete-results-for");
    Steps steps(bench, call);
    for (const std::string& name : params.list("delete-results-for")) {
      std::string target = async_path(id_left_by(bench, params, "delete-results-for", name), params);
      const Response response = co_await steps.send(Method::del, std::move(target));
      if (!steps.accept(response)) break;
    }
    co_return std::move(steps.outcome());
  }

 private:
  std::string operation_;
};

template <class Step>
std::unique_ptr<Runner> async_runner(const Operation& operation) {
  return std::make_unique<Step>(operation);
}

const Registered<OperationType> submit_async_type{
    "submit-async-search",
    {"Begins an asynchronous search; only in a composite.", false, false, async_runner<SubmitAsync>,
     constant_params, nullptr, nullptr}};
const Registered<OperationType> get_async_type{
    "get-async-search",
    {"Waits for asynchronous searches; only in a composite.", false, false, async_runner<GetAsync>,
     constant_params, nullptr, nullptr}};
const Registered<OperationType> delete_async_type{
    "delete-async-search",
    {"Deletes results of asynchronous searches; only in a composite.", false, false,
     async_runner<DeleteAsync>, constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
