// Scrolling on: each page is computed anew over the documents that are kept.
#include <fmt/format.h>

#include "core/sandbox/handlers.hpp"
#include "core/sandbox/search.hpp"

namespace pacenote::sandbox {
namespace {

std::vector<std::string> scroll_ids(const Call& call, const Json& body) {
  if (!call.at("scroll_id").empty()) return {call.at("scroll_id")};
  if (const std::string* id = call.asked.param("scroll_id")) return {*id};
  std::vector<std::string> out;
  const Json ids = body.value("scroll_id", Json::array());
  for (const Json& id : ids.is_array() ? ids : Json::array({ids}))
    if (id.is_string()) out.push_back(id.get<std::string>());
  return out;
}

}  // namespace

Answer scroll(State& state, const Call& call) {
  Json body;
  Answer answer;
  if (!json_body(call, body, answer)) return answer;
  const std::vector<std::string> ids = scroll_ids(call, body);
  if (ids.empty())
    return error_answer(400, "action_request_validation_exception",
                        "Validation Failed: 1: scrollId is missing;");
  const auto it = state.scrolls.find(ids.front());
  if (it == state.scrolls.end()) return no_search_context(ids.front());
  SearchRequest request;
  const Asked first = asked("GET", "/_search?scroll=1m");
  const Call again{first, {}, call.now, {}, call.clock};
  if (auto refusal = read_search(again, it->second.body, request)) return *refusal;
  request.from = it->second.from;
  request.size = it->second.size;
  it->second.from += it->second.size;
  std::vector<std::string> names;
  for (const std::string& name : it->second.indices)
    if (state.indices.contains(name)) names.push_back(name);
  return run_search(state, call, names, request, ids.front());
}

Answer clear_scroll(State& state, const Call& call) {
  Json body;
  Answer answer;
  if (!json_body(call, body, answer)) return answer;
  const std::vector<std::string> ids = scroll_ids(call, body);
  std::size_t freed = 0;
  if (ids.size() == 1 && ids.front() == "_all") {
    freed = state.scrolls.size();
    state.scrolls.clear();
  }
  for (const std::string& id : ids) freed += state.scrolls.erase(id);
  return json_answer({{"succeeded", true}, {"num_freed", freed}}, freed > 0 || ids.empty() ? 200 : 404);
}

}  // namespace pacenote::sandbox
