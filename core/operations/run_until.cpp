// Repeats a request until its answer has a value.
#include <fmt/format.h>

#include <optional>

#include "core/operations/condition.hpp"
#include "core/operations/planned.hpp"
#include "core/operations/steps.hpp"
#include "core/retry.hpp"

namespace pacenote {
namespace {

/// A whole number of what is a number or reads as one.
std::optional<std::int64_t> whole_number(const Json& value) {
  if (value.is_number()) return static_cast<std::int64_t>(value.get<double>());
  if (!value.is_string()) return std::nullopt;
  try {
    return std::stoll(value.get<std::string>());
  } catch (const std::logic_error&) {
    return std::nullopt;
  }
}

struct Criterion {
  std::string op;
  Json value;

  static Criterion of(const Fields& params) {
    params.mandatory("criterion");
    const Fields fields(params.object("criterion"), params.operation());
    Criterion out{fields.mandatory_text("operator"), Json()};
    const bool bare = out.op == "exists" || out.op == "not_exists";
    if (!bare && out.op != "gte" && out.op != "lte" && out.op != "eq" && out.op != "neq")
      params.fail("criterion", fmt::format("has an unknown operator [{}]", out.op),
                  "one of gte, lte, eq, neq, exists, not_exists");
    if (!bare) out.value = fields.mandatory("value");
    return out;
  }

  bool met(const Json& found) const {
    if (op == "exists") return !found.is_null();
    if (op == "not_exists") return found.is_null();
    if (found.is_null()) return false;
    const auto have = whole_number(found), want = whole_number(value);
    if (op == "gte") return have && want && *have >= *want;
    if (op == "lte") return have && want && *have <= *want;
    const bool equal = have && want ? *have == *want : found == value;
    return (op == "eq") == equal;
  }
};

Plan run_until_plan(const Fields& params) {
  const auto method = method_from(params.text("method", "GET"));
  if (!method) params.fail("method", "is no HTTP method we know", "GET, HEAD, POST, PUT or DELETE");
  const std::string path = params.mandatory_text("path");
  if (!path.starts_with('/')) params.fail("path", fmt::format("must begin with /, is {}", path));
  Plan out{*method, path + query_of(params.object("request-params"), false), "", Media::none};
  if (const Json* body = params.find("body")) {
    out.body = body_text(*body);
    out.media = body->is_array() ? Media::ndjson : Media::json;
  }
  params.mandatory_text("json-path");
  Criterion::of(params);
  return out;
}

class RunUntil final : public Runner {
 public:
  explicit RunUntil(const Operation& operation)
      : plans_(operation, run_until_plan), operation_(operation.name) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Plan& plan = plans_.plan(call);
    const Fields params(*call.params, operation_);
    const Criterion criterion = Criterion::of(params);
    const std::string path = params.mandatory_text("json-path");
    const Duration wait = params.seconds("retry-wait-interval").value_or(std::chrono::seconds(60));
    Waiting waiting(bench.clock);
    for (;;) {
      const Request request = request_of(plan);
      const Response response = co_await bench.cluster.send(request);
      Outcome outcome = outcome_of(response, call.options);
      const Json found = value_at(parse_json(response.body), path);
      if (!outcome.ok || criterion.met(found)) co_return outcome;
      const std::string why =
          fmt::format("{} is {}, not {} {}", path, to_text(found), criterion.op, to_text(criterion.value));
      waiting.say(bench, why);
      const Instant next = bench.clock.now() + wait;
      co_await bench.clock.sleep_until(next);
      if (!bench.stop.requested()) continue;
      outcome.ok = false;
      outcome.error_type = "condition";
      outcome.error = why;
      co_return outcome;
    }
  }

 private:
  PlanCache plans_;
  std::string operation_;
};

std::unique_ptr<Runner> run_until_runner(const Operation& operation) {
  return std::make_unique<RunUntil>(operation);
}

const Registered<OperationType> run_until_type{"run-until",
                                               {"Repeats a request until its answer has a value.", false,
                                                true, run_until_runner, constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
