// Statistics of indices, and waiting until one of them has a value. Elasticsearch: "Index stats API".
#include <fmt/format.h>

#include <algorithm>

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

/// The value at a dotted path; null if there is none.
Json value_at(const Json& answer, std::string_view path) {
  const Json* at = &answer;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const auto it = at->is_object() ? at->find(std::string(path.substr(0, dot))) : at->end();
    if (!at->is_object() || it == at->end()) return Json();
    at = &*it;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return *at;
}

/// As Rally keeps both values: text, or null.
Json shown(const Json& value) {
  if (value.is_null() || value.is_string()) return value;
  return to_text(value);
}

class IndexStats final : public Runner {
 public:
  explicit IndexStats(const Operation& operation)
      : plans_(operation, index_stats_plan), operation_(operation.name) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Request request = request_of(plans_.plan(call));
    const Fields params(*call.params, operation_);
    const Json* condition = params.find("condition");
    std::string path;
    if (condition != nullptr) path = path_of_condition(params);
    const Response response = co_await bench.cluster.send(request);
    Outcome outcome = outcome_of(response, call.options);
    if (outcome.ok && condition != nullptr)
      check(outcome, path, condition->at("expected-value"), parse_json(response.body));
    co_return outcome;
  }

 private:
  std::string path_of_condition(const Fields& params) const {
    const Fields condition(params.object("condition"), operation_);
    if (!params.object("condition").contains("expected-value"))
      params.fail("condition", "has no expected-value");
    return condition.mandatory_text("path");
  }

  static void check(Outcome& outcome, const std::string& path, const Json& expected, const Json& answer) {
    const Json actual = value_at(answer, path);
    outcome.meta["condition"] = {
        {"path", path}, {"actual-value", shown(actual)}, {"expected-value", shown(expected)}};
    if (actual == expected) return;
    outcome.ok = false;
    outcome.error_type = "condition";
    outcome.error = fmt::format("wanted {} to be {}, is {}", path, to_text(expected),
                                actual.is_null() ? "not there" : to_text(actual));
  }

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
