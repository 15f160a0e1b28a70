// A result read page by page by search_after, in a point in time where the composite around it opened one.
// Elasticsearch: "Paginate search results".
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

/// Sort values of the last hit, JSON text: the last "sort" in the answer that is followed by a list which
/// ends its hit. Empty: there is none.
std::string_view last_sort(std::string_view body) {
  constexpr std::string_view kKey = "\"sort\"";
  for (std::size_t at = body.rfind(kKey); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : body.rfind(kKey, at - 1)) {
    const std::size_t begin = body.find_first_not_of(" \t\r\n:", at + kKey.size());
    if (begin == std::string_view::npos || body[begin] != '[') continue;
    std::size_t end = begin, depth = 0;
    for (bool text = false; end < body.size(); ++end) {
      const char c = body[end];
      if (text && c == '\\')
        ++end;
      else if (c == '"')
        text = !text;
      else if (!text && c == '[')
        ++depth;
      else if (!text && c == ']' && --depth == 0)
        break;
    }
    const std::size_t next = body.find_first_not_of(" \t\r\n", end + 1);
    if (next != std::string_view::npos && body[next] == '}') return body.substr(begin, end + 1 - begin);
  }
  return {};
}

class PaginatedSearch final : public Runner {
 public:
  explicit PaginatedSearch(const Operation& operation) : operation_(operation.name) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    const std::uint64_t most = pages_of(params).value_or(UINT64_MAX);
    const std::optional<std::string> point = params.text("with-point-in-time-from");
    const std::string target =
        (point ? "/_search" : search_path(params)) + query_of(search_query(params), false);
    const Json asked = sized_body(params);
    const auto size = asked.at("size").get<std::uint64_t>();
    Steps steps(bench, call);
    Pages pages;
    Json after;
    do {
      std::string text = page_body(bench, params, asked, after);
      const Response response = co_await steps.send(Method::get, target, std::move(text));
      if (!steps.accept(response)) break;
      const Json head = answer_head(response.body);
      pages.add(head);
      if (point && !keep_point(bench, params, *point, response.body, head)) {
        steps.fail("condition", "the answer of a search in a point in time names none");
        break;
      }
      after = parse_json(last_sort(response.body));
    } while (pages.hits() > pages.count() * size && pages.count() < most && after.is_array() &&
             !steps.stopped());
    co_return steps.failed() ? std::move(steps.outcome()) : pages.outcome();
  }

  static Json sized_body(const Fields& params) {
    Json body = search_body(params);
    if (const auto size = params.count("results-per-page")) body["size"] = *size;
    if (!body.contains("size") || !body["size"].is_number_unsigned() || body["size"] == 0)
      params.fail("results-per-page", "is missing", "say how many hits a page has");
    return body;
  }

 private:
  static std::string page_body(Bench& bench, const Fields& params, const Json& asked, const Json& after) {
    Json body = asked;
    if (const auto point = params.text("with-point-in-time-from")) {
      const std::string id = id_left_by(bench, params, "with-point-in-time-from", *point);
      body["pit"] = {{"id", id}, {"keep_alive", "1m"}};
    }
    if (after.is_array()) body["search_after"] = after;
    return to_text(body);
  }

  /// An answer may name another id for the next page.
  static bool keep_point(Bench& bench, const Fields& params, const std::string& name, std::string_view body,
                         const Json& head) {
    Json id = head.value("pit_id", Json());
    if (!id.is_string()) {
      const Json whole = parse_json(body);
      if (whole.is_object()) id = whole.value("pit_id", Json());
    }
    if (!id.is_string()) return false;
    leave_id(bench, params, name, id.get<std::string>());
    return true;
  }

  std::string operation_;
};

std::unique_ptr<ParamSource> paginated_source(const Operation& operation, const Track& track, Share) {
  Json constant = search_params(operation, track);
  const Fields params(constant, operation.name);
  pages_of(params);  // finds mistakes before the race
  PaginatedSearch::sized_body(params);
  return constant_source(std::move(constant), request_options(operation));
}

std::unique_ptr<Runner> paginated_runner(const Operation& operation) {
  return std::make_unique<PaginatedSearch>(operation);
}

const Registered<OperationType> paginated_search_type{
    "paginated-search",
    {"Reads a result page by page by search_after.", false, false, paginated_runner, paginated_source,
     nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
