// One search. Elasticsearch: "Search API". The answer is not parsed unless `detailed-results` asks for it.
#include <fmt/format.h>

#include <charconv>

#include "core/operations/answer_head.hpp"
#include "core/operations/planned.hpp"
#include "core/operations/source.hpp"
#include "core/operations/targets.hpp"

namespace pacenote {
namespace {

Plan search_plan(const Fields& params) {
  const std::vector<std::string> names = named_targets(params);
  Json query = params.object("request-params");
  if (const auto cache = params.flag("cache")) query["request_cache"] = *cache;
  Plan out;
  out.detailed = params.flag("detailed-results").value_or(false);
  out.target = fmt::format("{}/_search{}", names.empty() ? "" : path_of(names), query_of(query, false));
  const Json* body = params.find("body");
  if (const auto size = params.count("results-per-page")) {
    Json sized = body == nullptr ? Json::object() : params.object("body");
    sized["size"] = *size;
    out.body = to_text(sized);
  } else if (body != nullptr) {
    out.body = body_text(*body);
  }
  return out;
}

/// `took` stands first in a search answer, so it is found without parsing.
std::optional<std::int64_t> took_in(std::string_view body) {
  constexpr std::string_view kKey = "\"took\":";
  const std::size_t at = body.substr(0, 100).find(kKey);
  if (at == std::string_view::npos) return std::nullopt;
  std::int64_t took = 0;
  const char* first = body.data() + at + kKey.size();
  const auto parsed = std::from_chars(first, body.data() + body.size(), took);
  return parsed.ec == std::errc() ? std::optional(took) : std::nullopt;
}

class Search final : public Runner {
 public:
  explicit Search(const Operation& operation) : plans_(operation, search_plan) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Plan& planned = plans_.plan(call);
    const Request request = request_of(planned);
    const Response response = co_await bench.cluster.send(request);
    Outcome outcome = outcome_of(response, call.options);
    if (outcome.ok) outcome.took_ms = took_in(response.body);
    if (outcome.ok && planned.detailed) add_details(outcome, response.body);
    co_return outcome;
  }

 private:
  PlanCache plans_;
};

std::string default_or_fail(const Fields& params, const Track& track) {
  std::string name = default_target(track);
  if (name.empty())
    params.fail("index", "is missing, and the track does not declare exactly one index or data stream");
  return name;
}

std::unique_ptr<ParamSource> search_source(const Operation& operation, const Track& track, Share) {
  const Fields params(operation.params, operation.name);
  if (params.find("type") != nullptr)
    params.fail("type", "is no longer supported", "remove it: document types are gone");
  if (params.find("pages") != nullptr)
    params.fail("pages", "makes a search a scroll, which is not supported yet", "remove it");
  Json constant = operation.params;
  if (named_targets(params).empty()) constant["index"] = default_or_fail(params, track);
  search_plan(Fields(constant, operation.name));  // finds mistakes before the race
  return constant_source(std::move(constant), request_options(operation));
}

std::unique_ptr<Runner> search_runner(const Operation& operation) {
  return std::make_unique<Search>(operation);
}

const Registered<OperationType> search_type{
    "search",
    {"Sends a query, one page of hits.", false, false, search_runner, search_source, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
