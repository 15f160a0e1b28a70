#include "core/assertion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/operations/condition.hpp"
#include "core/operations/fields.hpp"

namespace pacenote {
namespace {

constexpr std::string_view kConditions[] = {">", ">=", "<", "<=", "=="};

struct Assertion {
  std::string property, condition;
  Json value;
};

bool holds(const Assertion& assertion, const Json& actual) {
  const Json& wanted = assertion.value;
  if (assertion.condition == "==") return actual == wanted;
  if (!(actual.is_number() && wanted.is_number()) && !(actual.is_string() && wanted.is_string()))
    return false;
  if (assertion.condition == ">") return actual > wanted;
  if (assertion.condition == ">=") return actual >= wanted;
  if (assertion.condition == "<") return actual < wanted;
  return actual <= wanted;
}

/// What Rally's runners return: the meta and what stands beside it.
Json facts_of(const Outcome& outcome) {
  Json facts = outcome.meta.is_object() ? outcome.meta : Json::object();
  facts["weight"] = outcome.weight.amount;
  facts["unit"] = outcome.weight.unit;
  facts["success"] = outcome.ok;
  if (outcome.took_ms) facts["took"] = *outcome.took_ms;
  if (outcome.items_ok + outcome.items_failed > 0) {
    facts["success-count"] = outcome.items_ok;
    facts["error-count"] = outcome.items_failed;
  }
  return facts;
}

std::string names_in(const Json& facts) {
  std::vector<std::string> names;
  for (const auto& [name, value] : facts.items()) names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

class Asserting final : public Runner {
 public:
  Asserting(std::unique_ptr<Runner> inner, std::vector<Assertion> assertions)
      : inner_(std::move(inner)), assertions_(std::move(assertions)) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    Outcome outcome = co_await inner_->run(bench, call);
    if (!outcome.ok) co_return outcome;
    const Json facts = facts_of(outcome);
    for (const Assertion& assertion : assertions_) {
      const Json actual = value_at(facts, assertion.property);
      if (holds(assertion, actual)) continue;
      outcome.ok = false;
      outcome.fatal = true;
      outcome.error_type = "assertion";
      outcome.error = fmt::format("[{}] is {}, the track asserts {} {}{}", assertion.property,
                                  to_text(actual), assertion.condition, to_text(assertion.value),
                                  actual.is_null() ? fmt::format("; there are {}", names_in(facts)) : "");
      break;
    }
    co_return outcome;
  }
  std::optional<double> progress() const override { return inner_->progress(); }

 private:
  std::unique_ptr<Runner> inner_;
  std::vector<Assertion> assertions_;
};

Assertion assertion_from(const Json& json, const std::string& operation) {
  const Fields fields(json, operation);
  Assertion out{fields.mandatory_text("property"), fields.mandatory_text("condition"),
                fields.mandatory("value")};
  if (std::find(std::begin(kConditions), std::end(kConditions), out.condition) == std::end(kConditions))
    fields.fail("condition", fmt::format("of an assertion cannot be {}", out.condition),
                "use >, >=, <, <= or ==");
  return out;
}

}  // namespace

std::unique_ptr<Runner> asserting(std::unique_ptr<Runner> inner, const Operation& operation) {
  const Fields params(operation.params, operation.name);
  const Json* list = params.find("assertions");
  if (list == nullptr) return inner;
  if (!list->is_array()) params.fail("assertions", "must be a list");
  std::vector<Assertion> assertions;
  for (const Json& one : *list) {
    if (!one.is_object())
      params.fail("assertions", "must be a list of objects with property, condition and value");
    assertions.push_back(assertion_from(one, operation.name));
  }
  if (assertions.empty()) return inner;
  return std::make_unique<Asserting>(std::move(inner), std::move(assertions));
}

}  // namespace pacenote
