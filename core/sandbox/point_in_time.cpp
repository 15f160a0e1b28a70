// Points in time: searches that do not see what was written since. Elasticsearch "Point in time API",
// OpenSearch "Point in Time API", which differ in paths and names.
#include <fmt/format.h>

#include <charconv>

#include "core/sandbox/handlers.hpp"
#include "core/sandbox/search.hpp"

namespace pacenote::sandbox {
namespace {

bool other_product(const State& state, const Call& call) {
  return state.opensearch() != (call.asked.target.find("point_in_time") != std::string::npos);
}

Answer not_handled(const Call& call) {
  return json_answer({{"error", fmt::format("no handler found for uri [{}] and method [{}]",
                                            call.asked.target, call.asked.method)}},
                     400);
}

/// The only shard that `preference=_shards:N` leaves; none: all of them.
std::optional<std::uint32_t> preferred_shard(const Call& call) {
  constexpr std::string_view kShards = "_shards:";
  const std::string text = call.asked.param("preference", "");
  if (!text.starts_with(kShards)) return std::nullopt;
  std::uint32_t shard = 0;
  std::from_chars(text.data() + kShards.size(), text.data() + text.size(), shard);
  return shard;
}

std::vector<std::string> ids_to_close(const Json& body) {
  std::vector<std::string> out;
  for (const char* key : {"id", "pit_id"}) {
    const Json ids = body.value(key, Json::array());
    for (const Json& id : ids.is_array() ? ids : Json::array({ids}))
      if (id.is_string()) out.push_back(id.get<std::string>());
  }
  return out;
}

}  // namespace

Answer no_search_context(const std::string& id) {
  const Json cause = {{"type", "search_context_missing_exception"},
                      {"reason", fmt::format("No search context found for id [{}]", id)}};
  const Json failed = {{"shard", -1}, {"index", nullptr}, {"reason", cause}};
  Json error = {{"root_cause", Json::array({cause})},
                {"type", "search_phase_execution_exception"},
                {"reason", "all shards failed"},
                {"phase", "query"},
                {"grouped", true},
                {"failed_shards", Json::array({failed})},
                {"caused_by", cause}};
  return json_answer({{"error", error}, {"status", 404}}, 404);
}

Answer open_point_in_time(State& state, const Call& call) {
  if (other_product(state, call)) return not_handled(call);
  const std::string* keep = call.asked.param("keep_alive");
  if (keep == nullptr || !parse_time(*keep))
    return error_answer(400, "action_request_validation_exception",
                        "Validation Failed: 1: [keep_alive] is not specified;");
  std::vector<std::string> names;
  Answer answer;
  if (!resolve(state, call, names, answer)) return answer;
  const std::optional<std::uint32_t> only = preferred_shard(call);
  PointInTime opened;
  for (const std::string& name : names) {
    const Index& index = state.indices.at(name);
    std::vector<std::uint64_t>& ends = opened.ends[name];
    for (std::uint32_t shard = 0; shard < index.shards.size(); ++shard)
      ends.push_back(only.value_or(shard) == shard ? index.shards[shard].operations : 0);
  }
  const std::string id = fmt::format("46ToAwMDaWR5BXV1aWQy{}", make_uuid(state.next_number++));
  state.points_in_time[id] = std::move(opened);
  return json_answer({{state.opensearch() ? "pit_id" : "id", id}});
}

Answer close_point_in_time(State& state, const Call& call) {
  if (other_product(state, call)) return not_handled(call);
  Json body;
  Answer answer;
  if (!json_body(call, body, answer)) return answer;
  const std::vector<std::string> ids = ids_to_close(body);
  std::size_t freed = 0;
  for (const std::string& id : ids) freed += state.points_in_time.erase(id);
  const int status = freed > 0 || ids.empty() ? 200 : 404;
  if (!state.opensearch()) return json_answer({{"succeeded", freed > 0}, {"num_freed", freed}}, status);
  Json pits = Json::array();
  for (const std::string& id : ids) pits.push_back({{"successful", freed > 0}, {"pit_id", id}});
  return json_answer({{"pits", pits}}, status);
}

}  // namespace pacenote::sandbox
