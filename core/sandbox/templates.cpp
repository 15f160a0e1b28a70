// Templates of the three kinds, and ingest pipelines: kept, given back, applied when an index is made.
#include <fmt/format.h>

#include "core/sandbox/handlers.hpp"

namespace pacenote::sandbox {
namespace {

struct Kind {
  std::map<std::string, Json>& all;
  std::string_view missing_type, word;
};

Kind kind_of(State& state, const Call& call) {
  const std::string& first = call.asked.segments.front();
  if (first == "_template")
    return {state.legacy_templates, "index_template_missing_exception", "index_template"};
  if (first == "_index_template")
    return {state.index_templates, "index_template_missing_exception", "index_template"};
  return {state.component_templates, "resource_not_found_exception", "component_template"};
}

Answer missing(const Kind& kind, const std::string& name) {
  if (kind.word == "component_template")
    return error_answer(404, kind.missing_type,
                        fmt::format("component template matching [{}] not found", name));
  return error_answer(404, kind.missing_type, fmt::format("{} [{}] missing", kind.word, name));
}

std::optional<Answer> refuse_body(const Kind& kind, const Json& body) {
  if (body.empty()) return error_answer(400, "parse_exception", "request body is required");
  if (kind.word == "component_template" && !body.contains("template"))
    return error_answer(400, "illegal_argument_exception", "Required [template]");
  if (kind.word != "component_template" && !body.contains("index_patterns"))
    return error_answer(400, "action_request_validation_exception",
                        "Validation Failed: 1: index patterns are missing;");
  const Json& holder = body.contains("template") ? body["template"] : body;
  return refuse_settings(index_settings(holder.value("settings", Json::object())));
}

/// Legacy templates come back keyed by name, the others as a list.
Json shown(const Call& call, const std::map<std::string, const Json*>& found) {
  const std::string& first = call.asked.segments.front();
  Json keyed = Json::object(), list = Json::array();
  for (const auto& [name, body] : found) {
    Json legacy = {{"order", 0}};
    legacy.update(*body);
    keyed[name] = legacy;
    list.push_back({{"name", name}, {first.substr(1), *body}});
  }
  if (first == "_template") return keyed;
  return {{fmt::format("{}s", first.substr(1)), list}};
}

std::map<std::string, const Json*> matching(const std::map<std::string, Json>& all,
                                            const std::string& pattern) {
  std::map<std::string, const Json*> out;
  for (const auto& [name, body] : all)
    if (pattern.empty() || wildcard_match(pattern, name)) out.emplace(name, &body);
  return out;
}

}  // namespace

Answer put_template(State& state, const Call& call) {
  const Kind kind = kind_of(state, call);
  Json body;
  Answer answer;
  if (!json_body(call, body, answer)) return answer;
  if (auto refusal = refuse_body(kind, body)) return *refusal;
  for (const Json& part : body.value("composed_of", Json::array()))
    if (!part.is_string() || !state.component_templates.contains(part.get<std::string>()))
      return error_answer(
          400, "invalid_index_template_exception",
          fmt::format("index_template [{}] invalid, cause [index template [{}] specifies component "
                      "templates {} that do not exist]",
                      call.at("name"), call.at("name"), to_text(part)));
  kind.all[call.at("name")] = body;
  return acknowledged();
}

Answer get_template(State& state, const Call& call) {
  const Kind kind = kind_of(state, call);
  const auto found = matching(kind.all, call.at("name"));
  const bool legacy = call.asked.segments.front() == "_template";
  if (found.empty() && !call.at("name").empty() && !is_wildcard(call.at("name"))) {
    if (legacy) return json_answer(Json::object(), 404);
    return error_answer(
        404, "resource_not_found_exception",
        fmt::format("{} matching [{}] not found",
                    kind.word == "component_template" ? "component template" : "index template",
                    call.at("name")));
  }
  return json_answer(shown(call, found));
}

Answer delete_template(State& state, const Call& call) {
  const Kind kind = kind_of(state, call);
  const std::string name = call.at("name");
  const auto found = matching(kind.all, name);
  if (found.empty() && !is_wildcard(name)) return missing(kind, name);
  std::vector<std::string> names;
  for (const auto& [one, body] : found) names.push_back(one);
  for (const std::string& one : names) kind.all.erase(one);
  return acknowledged();
}

Answer put_pipeline(State& state, const Call& call) {
  Json body;
  Answer answer;
  if (!json_body(call, body, answer)) return answer;
  if (!body.value("processors", Json()).is_array())
    return error_answer(400, "parse_exception", "[processors] required property is missing",
                        {{"property_name", "processors"}});
  state.pipelines[call.at("name")] = body;
  return acknowledged();
}

Answer get_pipeline(State& state, const Call& call) {
  Json out = Json::object();
  for (const auto& [name, body] : matching(state.pipelines, call.at("name"))) out[name] = *body;
  const bool missed = out.empty() && !call.at("name").empty() && !is_wildcard(call.at("name"));
  return json_answer(out, missed ? 404 : 200);
}

Answer delete_pipeline(State& state, const Call& call) {
  const std::string name = call.at("name");
  std::vector<std::string> names;
  for (const auto& [one, body] : matching(state.pipelines, name)) names.push_back(one);
  if (names.empty() && !is_wildcard(name))
    return error_answer(404, "resource_not_found_exception", fmt::format("pipeline [{}] is missing", name));
  for (const std::string& one : names) state.pipelines.erase(one);
  return acknowledged();
}

}  // namespace pacenote::sandbox
