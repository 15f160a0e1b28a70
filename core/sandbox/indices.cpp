// Create, delete, look at indices.
#include <fmt/format.h>

#include <algorithm>

#include "core/sandbox/handlers.hpp"

namespace pacenote::sandbox {
namespace {

Answer invalid_name(const std::string& name, std::string_view why) {
  return error_answer(400, "invalid_index_name_exception",
                      fmt::format("Invalid index name [{}], {}", name, why),
                      {{"index_uuid", "_na_"}, {"index", name}});
}

/// https://www.elastic.co/guide/en/elasticsearch/reference/8.15/indices-create-index.html
std::optional<Answer> refuse_name(const std::string& name) {
  if (std::any_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
    return invalid_name(name, "must be lowercase");
  if (name.front() == '-' || name.front() == '_' || name.front() == '+')
    return invalid_name(name, "must not start with '_', '-', or '+'");
  if (name.find_first_of("\\/*?\"<>| ,#:") != std::string::npos)
    return invalid_name(
        name, "must not contain the following characters [' ','\"','*','\\\\','<','|',',','>','/','?']");
  if (name == "." || name == "..") return invalid_name(name, "must not be '.' or '..'");
  if (name.size() > 255) return invalid_name(name, "index name is too long, (more than 255 bytes)");
  return std::nullopt;
}

Answer exists_already(const Index& index) {
  return error_answer(400, "resource_already_exists_exception",
                      fmt::format("index [{}/{}] already exists", index.name, index.uuid),
                      {{"index_uuid", index.uuid}, {"index", index.name}});
}

std::optional<Answer> refuse_create_body(const Json& body) {
  for (const auto& [key, value] : body.items())
    if (key != "settings" && key != "mappings" && key != "aliases")
      return error_answer(400, "parse_exception", fmt::format("unknown key [{}] for create index", key));
  return refuse_settings(index_settings(body.value("settings", Json::object())));
}

/// What destructive requests with wildcards meet; the default changed with Elasticsearch 8.
bool names_required(const State& state) {
  const std::string key = "action.destructive_requires_name";
  for (const Json* settings : {&state.transient, &state.persistent})
    if (settings->contains(key)) return settings->at(key) == "true";
  return state.flavor == Flavor::elasticsearch_8;
}

Json describe(const Index& index) {
  const Json settings = {{"index", nested_settings(index.settings)}};
  return {{"aliases", index.aliases}, {"mappings", index.mappings}, {"settings", settings}};
}

}  // namespace

Answer create_index(State& state, const Call& call) {
  const std::string name = call.at("index");
  if (auto refusal = refuse_name(name)) return *refusal;
  if (const auto it = state.indices.find(name); it != state.indices.end()) return exists_already(it->second);
  Json body;
  Answer answer;
  if (!json_body(call, body, answer)) return answer;
  if (auto refusal = refuse_create_body(body)) return *refusal;
  make_index(state, name, body, call.now);
  return json_answer({{"acknowledged", true}, {"shards_acknowledged", true}, {"index", name}});
}

Answer delete_index(State& state, const Call& call) {
  const std::string expression = call.at("index");
  if (is_wildcard(expression) && names_required(state))
    return error_answer(400, "illegal_argument_exception",
                        "Wildcard expressions or all indices are not allowed");
  std::vector<std::string> names;
  Answer answer;
  if (!resolve(state, call, names, answer)) return answer;
  for (const std::string& name : names) {
    const std::string& stream = state.indices.at(name).data_stream;
    if (!stream.empty() && expression == stream)
      return error_answer(
          400, "illegal_argument_exception",
          fmt::format("The provided expression [{}] matches a data stream, specify the corresponding "
                      "concrete indices instead.",
                      expression));
  }
  for (const std::string& name : names)
    if (state.indices.at(name).data_stream.empty()) state.indices.erase(name);
  return acknowledged();
}

Answer index_exists(State& state, const Call& call) {
  std::vector<std::string> names;
  Answer answer;
  if (!resolve(state, call, names, answer)) return answer;
  return json_answer(Json::object());
}

Answer get_index(State& state, const Call& call) {
  std::vector<std::string> names;
  Answer answer;
  if (!resolve(state, call, names, answer)) return answer;
  Json out = Json::object();
  for (const std::string& name : names) out[name] = describe(state.indices.at(name));
  return json_answer(out);
}

Answer close_index(State& state, const Call& call) {
  std::vector<std::string> names;
  Answer answer;
  if (!resolve(state, call, names, answer)) return answer;
  Json closed = Json::object();
  for (const std::string& name : names) {
    flush(state.indices.at(name), call.now);
    state.indices.at(name).closed = true;
    closed[name] = {{"closed", true}};
  }
  return json_answer({{"acknowledged", true}, {"shards_acknowledged", true}, {"indices", closed}});
}

Answer open_index(State& state, const Call& call) {
  std::vector<std::string> names;
  Answer answer;
  if (!resolve(state, call, names, answer)) return answer;
  for (const std::string& name : names) state.indices.at(name).closed = false;
  return json_answer({{"acknowledged", true}, {"shards_acknowledged", true}});
}

}  // namespace pacenote::sandbox
