// A composite aggregation read page by page. Elasticsearch: "Composite aggregation".
#include <fmt/format.h>

#include "core/operations/answer_head.hpp"
#include "core/operations/paging.hpp"
#include "core/operations/planned.hpp"
#include "core/operations/search_request.hpp"
#include "core/operations/shared_ids.hpp"
#include "core/operations/source.hpp"
#include "core/operations/steps.hpp"

namespace pacenote {
namespace {

using AggregationPath = std::vector<std::string>;

const Json* aggregations_in(const Json& holder) {
  if (!holder.is_object()) return nullptr;
  for (const char* key : {"aggs", "aggregations"}) {
    const auto it = holder.find(key);
    if (it != holder.end() && it->is_object()) return &*it;
  }
  return nullptr;
}

void find_composites(const Json& holder, const AggregationPath& above, std::vector<AggregationPath>& found) {
  const Json* aggregations = aggregations_in(holder);
  if (aggregations == nullptr) return;
  for (const auto& [name, aggregation] : aggregations->items()) {
    AggregationPath path = above;
    path.push_back(name);
    if (aggregation.is_object() && aggregation.contains("composite")) found.push_back(path);
    find_composites(aggregation, path, found);
  }
}

/// UserError unless there is exactly one.
AggregationPath composite_path(const Fields& params) {
  std::vector<AggregationPath> found;
  find_composites(params.object("body"), {}, found);
  if (found.size() != 1)
    params.fail("body", fmt::format("must hold exactly one composite aggregation, holds {}", found.size()));
  return found.front();
}

Json& composite_at(Json& body, const AggregationPath& path) {
  Json* at = &body;
  for (const std::string& name : path) at = &(*at)[at->contains("aggs") ? "aggs" : "aggregations"][name];
  return (*at)["composite"];
}

/// Null: this was the last page.
Json after_key(const Json& answer, const AggregationPath& path) {
  const Json* at = &answer;
  AggregationPath keys = path;
  keys.insert(keys.begin(), "aggregations");
  keys.emplace_back("after_key");
  for (const std::string& key : keys) {
    if (!at->is_object() || !at->contains(key)) return Json();
    at = &at->at(key);
  }
  return *at;
}

std::uint64_t most_pages(const Fields& params) {
  return params.find("pages") == nullptr ? UINT64_MAX : pages_of(params).value_or(UINT64_MAX);
}

class CompositeAgg final : public Runner {
 public:
  explicit CompositeAgg(const Operation& operation) : operation_(operation.name) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    const AggregationPath path = composite_path(params);
    const std::uint64_t most = most_pages(params);
    const std::optional<std::string> point = params.text("with-point-in-time-from");
    const std::string target =
        (point ? "/_search" : search_path(params)) + query_of(search_query(params), false);
    Json body = search_body(params);
    if (const auto size = params.count("results-per-page")) composite_at(body, path)["size"] = *size;
    Steps steps(bench, call);
    Pages pages;
    for (Json after; pages.count() < most && !steps.stopped();) {
      if (!after.is_null()) composite_at(body, path)["after"] = after;
      if (point)
        body["pit"] = {{"id", id_left_by(bench, params, "with-point-in-time-from", *point)},
                       {"keep_alive", "1m"}};
      std::string text = to_text(body);
      const Response response = co_await steps.send(Method::get, target, std::move(text));
      if (!steps.accept(response)) break;
      const Json answer = parse_json(response.body);
      pages.add(answer.is_object() ? answer : Json::object());
      if (point && answer.is_object() && answer.contains("pit_id"))
        leave_id(bench, params, *point, answer.value("pit_id", ""));
      after = after_key(answer, path);
      if (after.is_null()) break;
    }
    co_return steps.failed() ? std::move(steps.outcome()) : pages.outcome();
  }

 private:
  std::string operation_;
};

std::unique_ptr<ParamSource> composite_agg_source(const Operation& operation, const Track& track, Share) {
  Json constant = search_params(operation, track);
  const Fields params(constant, operation.name);
  composite_path(params);  // finds mistakes before the race
  most_pages(params);
  return constant_source(std::move(constant), request_options(operation));
}

std::unique_ptr<Runner> composite_agg_runner(const Operation& operation) {
  return std::make_unique<CompositeAgg>(operation);
}

const Registered<OperationType> composite_agg_type{
    "composite-agg",
    {"Reads a composite aggregation page by page.", false, false, composite_agg_runner, composite_agg_source,
     nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
