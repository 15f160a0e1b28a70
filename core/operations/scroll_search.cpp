// A result read page by page through a scroll. Elasticsearch: "Scroll API".
#include <fmt/format.h>

#include "core/operations/answer_head.hpp"
#include "core/operations/paging.hpp"
#include "core/operations/planned.hpp"
#include "core/operations/search_request.hpp"
#include "core/operations/source.hpp"
#include "core/operations/steps.hpp"

namespace pacenote {
namespace {

constexpr std::string_view kScrollLives = "10s";  // as Rally asks for

/// Whether hits.hits, which stands last in an answer, holds any.
bool has_hits(std::string_view body) {
  std::size_t at = 0;
  while ((at = body.find("\"hits\"", at)) != std::string_view::npos) {
    at = body.find_first_not_of(" \t\r\n:", at + 6);
    if (at == std::string_view::npos || body[at] != '[') continue;
    const std::size_t first = body.find_first_not_of(" \t\r\n", at + 1);
    return first != std::string_view::npos && body[first] != ']';
  }
  return false;
}

/// The id may stand behind the hits, as this is what Elasticsearch's answers look like to some proxies.
std::string scroll_id_in(std::string_view body, const Json& head) {
  if (head.contains("_scroll_id") && head["_scroll_id"].is_string())
    return head["_scroll_id"].get<std::string>();
  const Json whole = parse_json(body);
  return whole.is_object() && whole.contains("_scroll_id") && whole["_scroll_id"].is_string()
             ? whole["_scroll_id"].get<std::string>()
             : std::string();
}

Plan scroll_plan(const Fields& params) {
  Json query = search_query(params);
  query["sort"] = "_doc";
  query["scroll"] = kScrollLives;
  Json body = search_body(params);
  if (const auto size = params.count("results-per-page")) query["size"] = body["size"] = *size;
  Plan out;
  out.target = search_path(params) + query_of(query, false);
  out.body = to_text(body);
  pages_of(params);
  return out;
}

class ScrollSearch final : public Runner {
 public:
  explicit ScrollSearch(const Operation& operation)
      : plans_(operation, scroll_plan), operation_(operation.name) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Plan& plan = plans_.plan(call);
    const Fields params(*call.params, operation_);
    const std::uint64_t most = pages_of(params).value_or(UINT64_MAX);
    const std::uint64_t size = params.count("results-per-page").value_or(0);
    Steps steps(bench, call);
    Pages pages;
    std::string id;
    for (bool more = true; more && pages.count() < most && !steps.stopped();) {
      const bool first = pages.count() == 0;
      const Request request = first ? request_of(plan) : Request(Method::get, "/_search/scroll", next_);
      const Response response = co_await bench.cluster.send(request);
      if (!steps.accept(response)) break;
      const Json head = answer_head(response.body);
      pages.add(head);
      if (first) {
        id = scroll_id_in(response.body, head);
        next_ = fmt::format(R"({{"scroll_id":{},"scroll":"{}"}})", to_text(Json(id)), kScrollLives);
        more = pages.hits() > 0 && pages.hits() >= size && !id.empty();
      } else {
        more = has_hits(response.body);
      }
    }
    if (!id.empty()) {  // whether it could be cleared is not what is measured: it ends by itself
      std::string body = fmt::format(R"({{"scroll_id":[{}]}})", to_text(Json(id)));
      co_await steps.send(Method::del, "/_search/scroll", std::move(body));
    }
    co_return steps.failed() ? std::move(steps.outcome()) : pages.outcome();
  }

 private:
  PlanCache plans_;
  std::string operation_, next_;
};

}  // namespace

std::unique_ptr<Runner> scroll_runner(const Operation& operation) {
  return std::make_unique<ScrollSearch>(operation);
}

std::unique_ptr<ParamSource> scroll_source(const Operation& operation, const Track& track, Share) {
  Json constant = search_params(operation, track);
  scroll_plan(Fields(constant, operation.name));  // finds mistakes before the race
  return constant_source(std::move(constant), request_options(operation));
}

namespace {

const Registered<OperationType> scroll_search_type{"scroll-search",
                                                   {"Reads a result page by page through a scroll.", false,
                                                    false, scroll_runner, scroll_source, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
