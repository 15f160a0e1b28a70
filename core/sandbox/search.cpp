#include "core/sandbox/search.hpp"

#include <fmt/format.h>

#include "core/sandbox/aggregations.hpp"
#include "core/sandbox/handlers.hpp"

namespace pacenote::sandbox {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr std::uint64_t kResultWindow = 10'000;

std::optional<Answer> refuse_unknown_keys(const Json& body) {
  for (const auto& [key, value] : body.items()) {
    bool known = false;
    for (const std::string_view name : {"query",
                                        "size",
                                        "from",
                                        "sort",
                                        "aggs",
                                        "aggregations",
                                        "_source",
                                        "track_total_hits",
                                        "search_after",
                                        "timeout",
                                        "track_scores",
                                        "version",
                                        "stored_fields",
                                        "docvalue_fields",
                                        "fields",
                                        "profile",
                                        "explain",
                                        "min_score",
                                        "terminate_after",
                                        "post_filter",
                                        "highlight",
                                        "seq_no_primary_term",
                                        "stats",
                                        "slice",
                                        "pit",
                                        "indices_boost",
                                        "rescore",
                                        "collapse",
                                        "suggest",
                                        "script_fields",
                                        "runtime_mappings"})
      known = known || key == name;
    if (!known)
      return error_answer(400, "parsing_exception", fmt::format("unknown key [{}] in request body", key),
                          {{"line", 1}, {"col", 2}});
  }
  return std::nullopt;
}

/// Size and from out of the query string or the body. The refusal of what is no number or out of the window.
std::optional<Answer> read_window(const Call& call, const Json& body, SearchRequest& request) {
  const auto read = [&](const char* name, std::uint64_t& out) {
    if (const std::string* text = call.asked.param(name)) {
      const auto number = parse_bytes(*text);
      if (number) out = *number;
      return number.has_value();
    }
    if (!body.contains(name)) return true;
    if (!body[name].is_number_integer() || body[name] < 0) return false;
    out = body[name].get<std::uint64_t>();
    return true;
  };
  for (const auto& [name, value] : {std::pair("size", &request.size), std::pair("from", &request.from)})
    if (!read(name, *value))
      return error_answer(400, "illegal_argument_exception",
                          fmt::format("Failed to parse int parameter [{}]", name));
  if (request.from + request.size > kResultWindow && !call.asked.param("scroll"))
    return error_answer(
        400, "illegal_argument_exception",
        fmt::format("Result window is too large, from + size must be less than or equal to: [{}] but "
                    "was [{}].",
                    kResultWindow, request.from + request.size));
  return std::nullopt;
}

std::optional<Answer> read_sort(const Call& call, const Json& body, SearchRequest& request) {
  if (const std::string* text = call.asked.param("sort")) {
    const std::size_t colon = std::min(text->find(':'), text->size());
    request.sort.push_back({text->substr(0, colon), text->substr(colon) == ":desc"});
    return std::nullopt;
  }
  const Json sort = body.value("sort", Json::array());
  for (const Json& one : sort.is_array() ? sort : Json::array({sort})) {
    if (one.is_string()) {
      request.sort.push_back({one.get<std::string>(), one == "_score"});
    } else if (one.is_object() && !one.empty()) {
      const Json& how = one.begin().value();
      const std::string order = how.is_string() ? how.get<std::string>() : how.value("order", "asc");
      request.sort.push_back({one.begin().key(), order == "desc"});
    } else {
      return error_answer(400, "illegal_argument_exception", "malformed sort format");
    }
  }
  return std::nullopt;
}

void count_search(State& state, Index& index, std::uint64_t hits) {
  for (std::size_t i = 0; i < index.shards.size(); ++i) {
    Shard& shard = index.shards[i];
    ++shard.queries;
    shard.query_time += microseconds(200) + nanoseconds(shard.docs() / 10);
    if (hits > 0) {
      ++shard.fetches;
      shard.fetch_time += microseconds(50);
    }
    ++state.nodes[state.node_of(index, i, 0)].searches;
  }
}

Answer closed(const Index& index) {
  return error_answer(400, "index_closed_exception", "closed",
                      {{"index_uuid", index.uuid}, {"index", index.name}});
}

Answer search_in_point_in_time(State& state, const Call& call, const SearchRequest& request) {
  if (!call.at("index").empty())
    return error_answer(400, "action_request_validation_exception",
                        "Validation Failed: 1: [indices] cannot be used with point in time;");
  const auto it = state.points_in_time.find(request.pit);
  if (it == state.points_in_time.end()) return no_search_context(request.pit);
  std::vector<std::string> names;
  for (const auto& [name, ends] : it->second.ends) {
    if (!state.indices.contains(name)) return index_not_found(name);
    names.push_back(name);
  }
  return run_search(state, call, names, request, {});
}

}  // namespace

std::optional<Answer> read_search(const Call& call, const Json& body, SearchRequest& request) {
  if (auto refusal = refuse_unknown_keys(body)) return refusal;
  Answer refusal;
  const std::string* text = call.asked.param("q");
  const Json all = {{"match_all", Json::object()}};
  const bool fine = text != nullptr ? compile_query_string(*text, request.query, refusal)
                                    : compile_query(body.value("query", all), request.query, refusal);
  if (!fine) return refusal;
  if (auto bad = read_window(call, body, request)) return bad;
  if (auto bad = read_sort(call, body, request)) return bad;
  request.body = body;
  if (body.contains("pit") && body["pit"].is_object()) request.pit = body["pit"].value("id", "");
  request.every_hit = !request.sort.empty() || body.contains("aggs") || body.contains("aggregations");
  const Json track = call.asked.param("track_total_hits")
                         ? Json(call.asked.param("track_total_hits", "") == "true")
                         : body.value("track_total_hits", Json());
  if (track.is_boolean()) request.track = track.get<bool>() ? ~std::uint64_t{0} : 0;
  if (track.is_number()) request.track = track.get<std::uint64_t>();
  return std::nullopt;
}

Answer run_search(State& state, const Call& call, const std::vector<std::string>& names,
                  const SearchRequest& request, const std::string& scroll_id) {
  Found found;
  for (const std::string& name : names) {
    if (state.indices.at(name).closed) return closed(state.indices.at(name));
    find(state.indices.at(name), request, found,
         request.pit.empty() ? nullptr : &state.points_in_time.at(request.pit).ends.at(name));
  }
  std::string aggregations;
  Answer refusal;
  if (!aggregate(request.body, found, aggregations, refusal)) return refusal;
  order(request, found);
  for (const std::string& name : names) count_search(state, state.indices.at(name), found.total);
  std::uint64_t shards = 0;
  for (const std::string& name : names) shards += state.indices.at(name).shards.size();
  Answer answer;
  answer.body = "{";
  if (!request.pit.empty()) answer.body += fmt::format(R"("pit_id":"{}",)", request.pit);
  if (!scroll_id.empty()) answer.body += fmt::format(R"("_scroll_id":"{}",)", scroll_id);
  answer.body += fmt::format(
      R"("took":{},"timed_out":false,"_shards":{{"total":{},"successful":{},"skipped":0,"failed":0}},)",
      call.took_ms(), shards, shards);
  append_hits(answer.body, state, request, found);
  answer.body += aggregations;
  answer.body += '}';
  return answer;
}

Answer search(State& state, const Call& call) {
  std::vector<std::string> names;
  Answer answer;
  Json body;
  if (!resolve(state, call, names, answer) || !json_body(call, body, answer)) return answer;
  SearchRequest request;
  if (auto refusal = read_search(call, body, request)) return *refusal;
  if (!request.pit.empty()) return search_in_point_in_time(state, call, request);
  const std::string* keep = call.asked.param("scroll");
  if (keep == nullptr) return run_search(state, call, names, request, {});
  if (!parse_time(*keep))
    return error_answer(
        400, "illegal_argument_exception",
        fmt::format("failed to parse setting [scroll] with value [{}] as a time value", *keep));
  const std::string id = fmt::format("FGluY2x1ZGVfY29udGV4dF91dWlk{}", make_uuid(state.next_number++));
  state.scrolls[id] = {names, body, request.size, request.size};
  return run_search(state, call, names, request, id);
}

Answer count(State& state, const Call& call) {
  std::vector<std::string> names;
  Answer answer;
  Json body;
  if (!resolve(state, call, names, answer) || !json_body(call, body, answer)) return answer;
  for (const auto& [key, value] : body.items())
    if (key != "query")
      return error_answer(400, "parsing_exception", fmt::format("request does not support [{}]", key),
                          {{"line", 1}, {"col", 2}});
  SearchRequest request;
  if (auto refusal = read_search(call, body, request)) return *refusal;
  Found found;
  std::uint64_t shards = 0;
  for (const std::string& name : names) {
    Index& index = state.indices.at(name);
    if (index.closed) return closed(index);
    find(index, request, found);
    count_search(state, index, 0);
    shards += index.shards.size();
  }
  const Json header = {{"total", shards}, {"successful", shards}, {"skipped", 0}, {"failed", 0}};
  return json_answer({{"count", found.total}, {"_shards", header}});
}

}  // namespace pacenote::sandbox
