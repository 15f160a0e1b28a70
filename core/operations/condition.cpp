#include "core/operations/condition.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pacenote {
namespace {

/// As Rally keeps both values: text, or null.
Json shown_value(const Json& value) {
  if (value.is_null() || value.is_string()) return value;
  return to_text(value);
}

}  // namespace

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

std::string text_at(const Json& answer, std::string_view path) {
  const Json value = value_at(answer, path);
  return value.is_string() ? value.get<std::string>() : std::string();
}

double number_at(const Json& answer, std::string_view path) {
  const Json value = value_at(answer, path);
  return value.is_number() ? value.get<double>() : 0;
}

Json list_at(const Json& answer, std::string_view path) {
  Json value = value_at(answer, path);
  return value.is_array() ? value : Json::array();
}

std::string condition_path(const Fields& params) {
  if (params.find("condition") == nullptr) return {};
  if (!params.object("condition").contains("expected-value"))
    params.fail("condition", "has no expected-value");
  return Fields(params.object("condition"), params.operation()).mandatory_text("path");
}

namespace {

void check_condition(Outcome& outcome, const Fields& params, const Json& answer) {
  const std::string path = condition_path(params);
  const Json& expected = params.object("condition").at("expected-value");
  const Json actual = value_at(answer, path);
  outcome.meta["condition"] = {
      {"path", path}, {"actual-value", shown_value(actual)}, {"expected-value", shown_value(expected)}};
  if (actual == expected) return;
  outcome.ok = false;
  outcome.error_type = "condition";
  outcome.error = fmt::format("wanted {} to be {}, is {}", path, to_text(expected),
                              actual.is_null() ? "not there" : to_text(actual));
}

class AsksForCondition final : public Runner {
 public:
  AsksForCondition(const Operation& operation, Planner planner, Json (*looked_at)(std::string_view))
      : plans_(operation, planner), operation_(operation.name), looked_at_(looked_at) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Request request = request_of(plans_.plan(call));
    const Fields params(*call.params, operation_);
    const bool waits = !condition_path(params).empty();
    const Response response = co_await bench.cluster.send(request);
    Outcome outcome = outcome_of(response, call.options);
    if (outcome.ok && waits) check_condition(outcome, params, looked_at_(response.body));
    co_return outcome;
  }

 private:
  PlanCache plans_;
  std::string operation_;
  Json (*looked_at_)(std::string_view);
};

}  // namespace

std::unique_ptr<Runner> asks_for_condition(const Operation& operation, Planner planner,
                                           Json (*looked_at)(std::string_view)) {
  return std::make_unique<AsksForCondition>(operation, planner, looked_at);
}

}  // namespace pacenote
