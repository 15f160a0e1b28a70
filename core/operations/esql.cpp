// ES|QL queries and their profiles. Elasticsearch: "ES|QL query API".
#include <fmt/format.h>

#include <map>

#include "core/operations/condition.hpp"
#include "core/operations/planned.hpp"
#include "core/operations/steps.hpp"

namespace pacenote {
namespace {

/// What stands before the values, which are the bulk of an answer and nothing that is asked for here.
Json before_values(std::string_view body) {
  const std::size_t values = body.find("\"values\":");
  if (values == std::string_view::npos) return parse_json(body);
  std::string head(body.substr(0, values));
  while (!head.empty() && (head.back() == ',' || head.back() == ' ' || head.back() == '\n')) head.pop_back();
  return parse_json(head + "}");
}

Json esql_body(const Fields& params, bool profile) {
  Json body = params.object("body");
  body["query"] = params.mandatory_text("query");
  if (const Json* filter = params.find("filter")) body["filter"] = *filter;
  if (profile) body["profile"] = true;
  return body;
}

Plan esql_plan_of(const Fields& params, bool profile) {
  Plan out{Method::post, "/_query" + query_of(params.object("request-params"), false),
           to_text(esql_body(params, profile)), Media::json};
  out.detailed = params.flag("detailed-results").value_or(false);
  return out;
}

Plan esql_plan(const Fields& params) { return esql_plan_of(params, false); }
Plan esql_profile_plan(const Fields& params) { return esql_plan_of(params, true); }

class Esql final : public Runner {
 public:
  explicit Esql(const Operation& operation) : plans_(operation, esql_plan) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Plan& plan = plans_.plan(call);
    const Request request = request_of(plan);
    const Response response = co_await bench.cluster.send(request);
    Outcome outcome = outcome_of(response, call.options);
    if (outcome.ok) read(outcome, before_values(response.body), plan.detailed);
    co_return outcome;
  }

 private:
  static void read(Outcome& outcome, const Json& answer, bool detailed) {
    const Json head = answer.is_object() ? answer : Json::object();
    const Json took = head.value("took", Json());
    if (took.is_number_integer()) outcome.took_ms = took.get<std::int64_t>();
    const bool partial = head.value("is_partial", Json()) == true;
    outcome.meta["is_partial"] = partial;
    for (const char* key : {"documents_found", "values_loaded", "completion_time_in_millis",
                            "start_time_in_millis", "expiration_time_in_millis"})
      if (detailed) outcome.meta[key] = head.value(key, Json());
    if (!partial) return;
    outcome.ok = false;
    outcome.status = 0;  // nothing is wrong with the answer's own
    outcome.error_type = "esql";
    outcome.error = "ES|QL query returned partial results";
  }

  PlanCache plans_;
};

constexpr double kNanosPerMilli = 1e6;

void put_millis(Json& meta, const std::string& name, double nanos) {
  if (nanos > 0) meta[name] = nanos / kNanosPerMilli;
}

/// Sums and greatest values of the drivers that have one description.
struct DriverFigures {
  std::uint64_t number = 0;
  double took_max = 0, took_total = 0, cpu_max = 0, cpu_total = 0;
  std::map<std::string, double> process, slices;
};

void add_operators(DriverFigures& figures, const Json& operators) {
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const Json& one = operators[i];
    std::string name = text_at(one, "operator");
    if (name.empty()) name = fmt::format("operator_{}", i);
    name.resize(std::min(name.find('['), name.size()));
    const Json status = value_at(one, "status");
    const double process = number_at(status, "process_nanos");
    figures.process[name] +=
        process > 0 ? process : number_at(status, "receive_nanos") + number_at(status, "emit_nanos");
    figures.slices[name] += number_at(status, "processed_slices");
  }
}

std::string described_as(const Json& part) {
  const std::string name = text_at(part, "description");
  return name.empty() ? "unknown" : name;
}

void add_drivers(Json& meta, const Json& drivers) {
  std::map<std::string, DriverFigures> by_name;
  for (const Json& driver : drivers) {
    DriverFigures& figures = by_name[described_as(driver)];
    ++figures.number;
    const double took = number_at(driver, "took_nanos"), cpu = number_at(driver, "cpu_nanos");
    figures.took_max = std::max(figures.took_max, took);
    figures.took_total += took;
    figures.cpu_max = std::max(figures.cpu_max, cpu);
    figures.cpu_total += cpu;
    add_operators(figures, list_at(driver, "operators"));
  }
  for (const auto& [name, figures] : by_name) {
    meta[name + ".number"] = figures.number;
    meta[name + ".took_ms"] = figures.took_max / kNanosPerMilli;
    meta[name + ".cpu_ms"] = figures.cpu_max / kNanosPerMilli;
    meta[name + ".took_total_ms"] = figures.took_total / kNanosPerMilli;
    meta[name + ".cpu_total_ms"] = figures.cpu_total / kNanosPerMilli;
    for (const auto& [operation, nanos] : figures.process)
      put_millis(meta, fmt::format("{}.{}.process_ms", name, operation), nanos);
    for (const auto& [operation, slices] : figures.slices)
      if (slices > 0)
        meta[fmt::format("{}.{}.processed_slices", name, operation)] = static_cast<std::uint64_t>(slices);
  }
}

/// The profile as flat figures, in milliseconds (rally runner.py, behaviour B.2).
void add_profile(Json& meta, const Json& profile) {
  for (const char* phase :
       {"query", "planning", "parsing", "preanalysis", "dependency_resolution", "analysis"})
    put_millis(meta, fmt::format("{}.took_ms", phase),
               number_at(profile, fmt::format("{}.took_nanos", phase)));
  add_drivers(meta, list_at(profile, "drivers"));
  const Json plans = list_at(profile, "plans");
  for (const Json& plan : plans) {
    const std::string name = described_as(plan);
    for (const char* part : {"logical_optimization", "physical_optimization", "reduction"})
      put_millis(meta, fmt::format("{}.{}.took_ms", name, part),
                 number_at(plan, fmt::format("{}_nanos", part)));
  }
}

class EsqlProfile final : public Runner {
 public:
  explicit EsqlProfile(const Operation& operation) : plans_(operation, esql_profile_plan) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Request request = request_of(plans_.plan(call));
    const Response response = co_await bench.cluster.send(request);
    Outcome outcome = outcome_of(response, call.options);
    if (!outcome.ok) co_return outcome;
    const Json answer = parse_json(response.body);
    const Json profile = answer.is_object() ? answer.value("profile", Json()) : Json();
    if (profile.is_object()) {
      add_profile(outcome.meta, profile);
    } else {
      outcome.ok = false;
      outcome.error_type = "condition";
      outcome.error = "the answer has no profile";
    }
    co_return outcome;
  }

 private:
  PlanCache plans_;
};

template <class Query>
std::unique_ptr<Runner> esql_runner(const Operation& operation) {
  return std::make_unique<Query>(operation);
}

const Registered<OperationType> esql_type{
    "esql", {"Runs an ES|QL query.", false, false, esql_runner<Esql>, constant_params, nullptr, nullptr}};
const Registered<OperationType> esql_profile_type{
    "esql-profile",
    {"Runs an ES|QL query and keeps the times of its profile.", false, false, esql_runner<EsqlProfile>,
     constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
