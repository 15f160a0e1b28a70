// Data streams with one backing index each; nothing rolls over.
#include <fmt/format.h>

#include <ctime>

#include "core/sandbox/handlers.hpp"

namespace pacenote::sandbox {
namespace {

/// ".ds-NAME-2024.05.31-000001" (".ds-NAME-000001" with OpenSearch).
std::string backing_name(const State& state, const std::string& stream, Instant now) {
  if (state.opensearch()) return fmt::format(".ds-{}-000001", stream);
  const std::time_t at = state.now_ms(now) / 1000;
  std::tm date{};
  gmtime_r(&at, &date);
  return fmt::format(".ds-{}-{:04}.{:02}.{:02}-000001", stream, date.tm_year + 1900, date.tm_mon + 1,
                     date.tm_mday);
}

Json describe(const State& state, const DataStream& stream) {
  Json indices = Json::array();
  std::string_view status = "GREEN";
  for (const std::string& name : stream.indices) {
    const Index& index = state.indices.at(name);
    indices.push_back({{"index_name", name}, {"index_uuid", index.uuid}});
    if (index_health(state, index) == "yellow") status = "YELLOW";
  }
  return {{"name", stream.name}, {"timestamp_field", {{"name", "@timestamp"}}},
          {"indices", indices},  {"generation", stream.indices.size()},
          {"status", status},    {"template", stream.template_name}};
}

std::vector<std::string> matching(const State& state, const std::string& pattern) {
  std::vector<std::string> out;
  for (const auto& [name, stream] : state.data_streams)
    if (pattern.empty() || wildcard_match(pattern, name)) out.push_back(name);
  return out;
}

}  // namespace

DataStream& make_data_stream(State& state, const std::string& name, const std::string& chosen, Instant now) {
  DataStream& stream = state.data_streams[name];
  stream.name = name;
  stream.template_name = chosen;
  const std::string backing = backing_name(state, name, now);
  const Json& body = state.index_templates.at(chosen);
  const Json holder = body.value("template", Json::object());
  make_index(state, backing, holder, now).data_stream = name;
  stream.indices.push_back(backing);
  return stream;
}

Answer put_data_stream(State& state, const Call& call) {
  const std::string name = call.at("name");
  if (state.data_streams.contains(name))
    return error_answer(400, "resource_already_exists_exception",
                        fmt::format("data_stream [{}] already exists", name));
  const std::string chosen = matching_template(state, name);
  if (chosen.empty())
    return error_answer(400, "illegal_argument_exception",
                        fmt::format("no matching index template found for data stream [{}]", name));
  if (!state.index_templates.at(chosen).contains("data_stream"))
    return error_answer(
        400, "illegal_argument_exception",
        fmt::format("matching index template [{}] for data stream [{}] has no data stream template", chosen,
                    name));
  make_data_stream(state, name, chosen, call.now);
  return acknowledged();
}

Answer get_data_stream(State& state, const Call& call) {
  const std::string pattern = call.at("name");
  const std::vector<std::string> names = matching(state, pattern);
  if (names.empty() && !pattern.empty() && !is_wildcard(pattern)) return index_not_found(pattern);
  Json out = Json::array();
  for (const std::string& name : names) out.push_back(describe(state, state.data_streams.at(name)));
  return json_answer({{"data_streams", out}});
}

Answer delete_data_stream(State& state, const Call& call) {
  const std::string pattern = call.at("name");
  const std::vector<std::string> names = matching(state, pattern);
  if (names.empty() && !is_wildcard(pattern)) return index_not_found(pattern);
  for (const std::string& name : names) {
    for (const std::string& index : state.data_streams.at(name).indices) state.indices.erase(index);
    state.data_streams.erase(name);
  }
  return acknowledged();
}

}  // namespace pacenote::sandbox
