// One search. Elasticsearch: "Search API". The answer is not parsed unless `detailed-results` asks for it.
#include <fmt/format.h>

#include "core/operations/answer_head.hpp"
#include "core/operations/paging.hpp"
#include "core/operations/planned.hpp"
#include "core/operations/search_request.hpp"
#include "core/operations/source.hpp"

namespace pacenote {
namespace {

Plan search_plan(const Fields& params) {
  Plan out;
  out.detailed = params.flag("detailed-results").value_or(false);
  out.target = search_path(params) + query_of(search_query(params), false);
  const Json* body = params.find("body");
  if (const auto size = params.count("results-per-page")) {
    Json sized = search_body(params);
    sized["size"] = *size;
    out.body = to_text(sized);
  } else if (body != nullptr) {
    out.body = body_text(*body);
  }
  return out;
}

class Search final : public Runner {
 public:
  explicit Search(const Operation& operation) : plans_(operation, search_plan) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Plan& planned = plans_.plan(call);
    Request request = request_of(planned);
    if (!planned.detailed) request.enough = [](std::string_view body) { return took_in(body).has_value(); };
    const Response response = co_await bench.cluster.send(request);
    Outcome outcome = outcome_of(response, call.options);
    if (outcome.ok) outcome.took_ms = took_in(response.body);
    if (outcome.ok && planned.detailed) add_details(outcome, response.body);
    co_return outcome;
  }

 private:
  PlanCache plans_;
};

bool is_scroll(const Operation& operation) {
  return Fields(operation.params, operation.name).find("pages") != nullptr;
}

std::unique_ptr<ParamSource> search_source(const Operation& operation, const Track& track, Share share) {
  if (is_scroll(operation)) return scroll_source(operation, track, share);
  Json constant = search_params(operation, track);
  search_plan(Fields(constant, operation.name));  // finds mistakes before the race
  return constant_source(std::move(constant), request_options(operation));
}

std::unique_ptr<Runner> search_runner(const Operation& operation) {
  if (is_scroll(operation)) return scroll_runner(operation);  // as Rally still does, though it advises not to
  return std::make_unique<Search>(operation);
}

const Registered<OperationType> search_type{
    "search",
    {"Sends a query, one page of hits.", false, false, search_runner, search_source, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
