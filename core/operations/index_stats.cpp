// Statistics of indices, and waiting until one of them has a value. Elasticsearch: "Index stats API".
#include <fmt/format.h>

#include "core/operations/condition.hpp"
#include "core/operations/planned.hpp"

namespace pacenote {
namespace {

Plan index_stats_plan(const Fields& params) {
  auto names = params.list("index");
  if (names.empty()) names.emplace_back("_all");
  return {Method::get,
          fmt::format("{}/_stats/_all{}", path_of(names), query_of(params.object("request-params"), true)),
          "", Media::none};
}

class IndexStats final : public Runner {
 public:
  explicit IndexStats(const Operation& operation)
      : plans_(operation, index_stats_plan), operation_(operation.name) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Request request = request_of(plans_.plan(call));
    const Fields params(*call.params, operation_);
    const bool waits = !condition_path(params).empty();
    const Response response = co_await bench.cluster.send(request);
    Outcome outcome = outcome_of(response, call.options);
    if (outcome.ok && waits) check_condition(outcome, params, parse_json(response.body));
    co_return outcome;
  }

 private:
  PlanCache plans_;
  std::string operation_;
};

std::unique_ptr<Runner> index_stats_runner(const Operation& operation) {
  return std::make_unique<IndexStats>(operation);
}

const Registered<OperationType> index_stats_type{
    "index-stats",
    {"Asks for index statistics; with `condition`, whether one has a value.", false, true, index_stats_runner,
     constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
