#include "tracks/create/track_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tracks/create/extraction.hpp"

namespace pacenote::tracks {
namespace {

/// Above what templates of other tools have, so that it is this one that counts.
constexpr int kPriority = 100'000;

/// Text in which Jinja finds nothing to do.
std::string not_for_jinja(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    const bool opens = text[i] == '{' && (next == '{' || next == '%' || next == '#');
    if (opens)
      out += fmt::format("{{{{ '{{{}' }}}}", next);
    else
      out += text[i];
    i += opens ? 1 : 0;
  }
  return out;
}

Json not_for_jinja(const Json& value) {
  if (value.is_string()) return not_for_jinja(value.get<std::string>());
  Json out = value;
  if (value.is_array())
    for (Json& item : out) item = not_for_jinja(Json(item));
  if (value.is_object()) {
    out = Json::object();
    for (const auto& [key, member] : value.items()) out[not_for_jinja(key)] = not_for_jinja(member);
  }
  return out;
}

std::string shown_json(const Json& value, int indent) { return value.dump(indent); }

/// "{{number_of_shards | default(5)}}"
std::string parameter(const char* name, const Json& otherwise) {
  const std::string text = otherwise.is_string() ? otherwise.get<std::string>() : to_text(otherwise);
  return fmt::format("{{{{{} | default({})}}}}", name, text);
}

/// Settings and mappings, with shards and replicas as parameters.
Json body_json(const Described& described) {
  Json settings = not_for_jinja(described.settings);
  for (const char* name : {"number_of_shards", "number_of_replicas"})
    if (settings.contains(name)) settings[name] = parameter(name, settings[name]);
  const Json index = {{"index", settings}};
  return {{"settings", index}, {"mappings", not_for_jinja(described.mappings)}};
}

std::string body_text_of(const Described& described) {
  const Json body = body_json(described);
  if (!described.stream) return shown_json(body, 2) + "\n";
  const Json whole = {{"index_patterns", Json::array({not_for_jinja(described.name)})},
                      {"data_stream", Json::object()},
                      {"priority", kPriority},
                      {"template", body}};
  return shown_json(whole, 2) + "\n";
}

std::string template_name(const Described& described) { return described.name + "-template"; }

Json corpus_json(const MadePart& part) {
  const std::string name = not_for_jinja(part.described.name);
  const char* target = part.described.stream ? "target-data-stream" : "target-index";
  const Json documents = {{target, name},
                          {"source-file", not_for_jinja(documents_file(part.described.name)) + ".bz2"},
                          {"document-count", part.documents},
                          {"compressed-bytes", part.compressed_bytes},
                          {"uncompressed-bytes", part.bytes}};
  return {{"name", name}, {"documents", Json::array({documents})}};
}

/// One section of the track, indented as the whole: "indices": […],
std::string section(const char* name, const Json& items) {
  const Json holder = {{name, items}};
  const std::string text = shown_json(holder, 2);
  return text.substr(2, text.size() - 4) + ",\n";  // without the holder's braces
}

std::string track_json(const std::string& description, const std::vector<MadePart>& parts) {
  Json indices = Json::array(), streams = Json::array(), templates = Json::array(), corpora = Json::array();
  for (const MadePart& part : parts) {
    const std::string name = not_for_jinja(part.described.name);
    if (!part.described.stream) {
      indices.push_back({{"name", name}, {"body", name + ".json"}});
    } else {
      streams.push_back({{"name", name}});
      templates.push_back({{"name", not_for_jinja(template_name(part.described))},
                           {"index-pattern", name},
                           {"delete-matching-indices", false},
                           {"template", name + ".json"}});
    }
    if (part.documents > 0) corpora.push_back(corpus_json(part));
  }
  std::string out = "{% import \"rally.helpers\" as rally with context %}\n{\n  \"version\": 2,\n";
  out += fmt::format("  \"description\": {},\n", to_text(Json(not_for_jinja(description))));
  if (!indices.empty()) out += section("indices", indices);
  if (!streams.empty()) out += section("data-streams", streams) + section("composable-templates", templates);
  if (!corpora.empty()) out += section("corpora", corpora);
  out += "  \"operations\": [\n    {{ rally.collect(parts=\"operations/*.json\") }}\n  ],\n";
  return out + "  \"challenges\": [\n    {{ rally.collect(parts=\"challenges/*.json\") }}\n  ]\n}\n";
}

constexpr const char* kOperations = R"({
  "name": "bulk",
  "operation-type": "bulk",
  "bulk-size": {{bulk_size | default(5000)}},
  "ingest-percentage": {{ingest_percentage | default(100)}}
}
)";

/// Tasks that make the indices or data streams, each a line of the schedule.
std::vector<std::string> making(bool streams) {
  const std::string settings = R"("settings": {{index_settings | default({}) | tojson}})";
  if (!streams)
    return {R"({"operation": "delete-index"})",
            fmt::format(R"({{"operation": {{"operation-type": "create-index", {}}}}})", settings)};
  return {R"({"operation": "delete-data-stream"})", R"({"operation": "delete-composable-template"})",
          fmt::format(R"({{"operation": {{"operation-type": "create-composable-template", {}}}}})", settings),
          R"({"operation": "create-data-stream"})"};
}

std::string challenge_json(const std::vector<MadePart>& parts) {
  bool documents = false;
  std::vector<std::string> names;
  for (const MadePart& part : parts) {
    names.push_back(not_for_jinja(part.described.name));
    documents = documents || part.documents > 0;
  }
  std::vector<std::string> tasks = making(parts.front().described.stream);
  tasks.push_back(fmt::format(
      R"({{"operation": {{"operation-type": "cluster-health", "index": {}, "request-params": {{
      "wait_for_status": "{{{{cluster_health | default('green')}}}}", "wait_for_no_relocating_shards": "true"}},
      "retry-until-success": true}}}})",
      to_text(Json(fmt::format("{}", fmt::join(names, ","))))));
  if (documents)
    tasks.emplace_back(R"({"operation": "bulk", "clients": {{bulk_indexing_clients | default(8)}}})");
  return fmt::format(
      "{{\n  \"name\": \"default\",\n  \"default\": true,\n  \"schedule\": [\n    {}\n  ]\n}}\n",
      fmt::join(tasks, ",\n    "));
}

}  // namespace

std::map<std::string, std::string> track_texts(const std::string& description,
                                               const std::vector<MadePart>& parts) {
  std::map<std::string, std::string> out;
  for (const MadePart& part : parts) out[part.described.name + ".json"] = body_text_of(part.described);
  out["operations/default.json"] = kOperations;
  out["challenges/default.json"] = challenge_json(parts);
  out["track.json"] = track_json(description, parts);
  return out;
}

}  // namespace pacenote::tracks
