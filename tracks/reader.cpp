#include "tracks/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "core/suggest.hpp"
#include "tracks/reader_parts.hpp"
#include "tracks/schema.hpp"

namespace pacenote::tracks {
namespace {

constexpr std::size_t problems_shown = 8;

std::string text(const Json& object, const char* key) { return object.value(key, std::string()); }

void check_version(const Json& json, const ReadContext& context) {
  if (!json.contains("version")) return;
  const Json& version = json["version"];
  if (!version.is_number_integer() || version == 2) return;  // the schema speaks about other types
  wrong(fmt::format("{}: version", context.file),
        fmt::format("pacenote reads version 2, this is {}", to_text(version)),
        version > 2 ? "a newer pacenote may read it" : "migrate the track to version 2");
}

void check_schema(const Json& json, const ReadContext& context) {
  std::vector<std::string> problems = schema_problems(json);
  if (problems.empty()) return;
  const std::size_t count = problems.size();
  if (count > problems_shown) problems.resize(problems_shown);
  if (count > problems.size()) problems.push_back(fmt::format("and {} more", count - problems.size()));
  throw UserError(
      fmt::format("{}: {}", context.file, fmt::join(problems, fmt::format("\n{}: ", context.file))));
}

void check_alternatives(const Json& json, const ReadContext& context) {
  int given = 0;
  for (const char* key : {"schedule", "challenge", "challenges"}) given += json.contains(key) ? 1 : 0;
  if (given == 0) wrong(context.file, "one of `schedule`, `challenge` and `challenges` is required");
  if (given > 1) wrong(context.file, "only one of `schedule`, `challenge` and `challenges` may be given");
  if (json.contains("indices") && json.contains("data-streams"))
    wrong(context.file, "`indices` and `data-streams` exclude each other");
}

Json body_of(const Json& item, const ReadContext& context) {
  return item.contains("body") ? context.body(item["body"].get<std::string>()) : Json::object();
}

void read_indices(const Json& json, const ReadContext& context, Track& track) {
  for (std::size_t i = 0; json.contains("indices") && i < json["indices"].size(); ++i) {
    const Json& item = json["indices"][i];
    if (item.contains("types"))
      wrong(fmt::format("{}: indices[{}].types", context.file, i),
            "document types no longer exist in Elasticsearch");
    track.indices.push_back({text(item, "name"), body_of(item, context)});
  }
  if (json.contains("data-streams"))
    for (const Json& item : json["data-streams"]) track.data_streams.push_back({text(item, "name")});
}

/// The part of a template's content that `template-path` (dotted) names.
Json template_body(const Json& item, const std::string& where, const ReadContext& context) {
  const std::string file = text(item, "template");
  const Json whole = context.body(file);
  const std::string path = text(item, "template-path");
  const Json* at = &whole;
  for (std::size_t start = 0; !path.empty() && start <= path.size();) {
    const std::size_t end = std::min(path.find('.', start), path.size());
    const std::string key = path.substr(start, end - start);
    if (!at->is_object() || !at->contains(key))
      wrong(where, fmt::format("`template-path` {} is not in {}: there is no `{}`", path, file, key));
    at = &(*at)[key];
    start = end + 1;
  }
  return *at;
}

std::vector<Template> read_templates(const Json& json, const char* key, const ReadContext& context) {
  std::vector<Template> out;
  if (!json.contains(key)) return out;
  for (std::size_t i = 0; i < json[key].size(); ++i) {
    const Json& item = json[key][i];
    Template one;
    one.name = text(item, "name");
    one.pattern = text(item, "index-pattern");
    one.body = template_body(item, fmt::format("{}: {}[{}]", context.file, key, i), context);
    one.delete_matching_indices = item.value("delete-matching-indices", true);
    out.push_back(std::move(one));
  }
  return out;
}

/// The challenge's parameters over the track's; lists are united.
Json merged_parameters(const Json& track, const Json& challenge) {
  Json out = track.value("parameters", Json::object());
  const Json own = challenge.value("parameters", Json::object());
  for (const auto& [key, value] : own.items()) {
    if (!out.contains(key) || !out[key].is_array() || !value.is_array()) {
      out[key] = value;
      continue;
    }
    for (const Json& element : value)
      if (std::find(out[key].begin(), out[key].end(), element) == out[key].end()) out[key].push_back(element);
  }
  return out;
}

Challenge read_challenge(const Json& track, const Json& json, const Operations& operations,
                         const std::string& where) {
  Challenge out;
  out.name = text(json, "name");
  out.description = text(json, "description");
  out.user_info = text(json, "user-info");
  out.is_default = json.value("default", false);
  out.meta = json.value("meta", Json::object());
  out.parameters = merged_parameters(track, json);
  out.schedule = read_schedule(json["schedule"], operations, fmt::format("{}schedule", where));
  return out;
}

void check_defaults(const std::vector<Challenge>& challenges, const std::string& file) {
  std::set<std::string> names;
  std::vector<std::string> defaults;
  for (const Challenge& challenge : challenges) {
    if (!names.insert(challenge.name).second)
      wrong(file, fmt::format("two challenges are named [{}]", challenge.name));
    if (challenge.is_default) defaults.push_back(challenge.name);
  }
  if (defaults.size() > 1)
    wrong(file,
          fmt::format("only one challenge may be the default; these are: {}", fmt::join(defaults, ", ")));
  if (defaults.empty()) wrong(file, "no challenge is the default", "give one of them \"default\": true");
}

std::vector<Challenge> read_challenges(const Json& json, const Operations& operations,
                                       const ReadContext& context) {
  std::vector<Challenge> out;
  if (json.contains("schedule")) {
    Json shorthand = {{"name", "default"}, {"schedule", json["schedule"]}};
    out.push_back(read_challenge(json, shorthand, operations, fmt::format("{}: ", context.file)));
    out.back().auto_generated = true;
  } else if (json.contains("challenge")) {
    out.push_back(
        read_challenge(json, json["challenge"], operations, fmt::format("{}: challenge.", context.file)));
  } else {
    for (std::size_t i = 0; i < json["challenges"].size(); ++i)
      out.push_back(read_challenge(json, json["challenges"][i], operations,
                                   fmt::format("{}: challenges[{}].", context.file, i)));
  }
  if (out.size() == 1) out.front().is_default = true;
  check_defaults(out, context.file);
  return out;
}

Track read_checked(const Json& json, const ReadContext& context) {
  if (!json.is_object()) wrong(context.file, fmt::format("must be an object; found {}", json.type_name()));
  check_version(json, context);
  check_schema(json, context);
  check_alternatives(json, context);
  Track track;
  track.name = context.name;
  track.description = text(json, "description");
  track.meta = json.value("meta", Json::object());
  read_indices(json, context, track);
  track.templates = read_templates(json, "templates", context);
  track.composable_templates = read_templates(json, "composable-templates", context);
  track.component_templates = read_templates(json, "component-templates", context);
  track.corpora = read_corpora(json, track, context);
  const Operations operations = read_operations(json, context);
  track.challenges = read_challenges(json, operations, context);
  return track;
}

}  // namespace

Track read_track(const Json& json, const ReadContext& context) {
  try {
    return read_checked(json, context);
  } catch (const Json::exception& error) {  // a value of a type that neither the schema nor a rule foresaw
    wrong(context.file, error.what());
  }
}

}  // namespace pacenote::tracks
