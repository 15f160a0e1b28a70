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

std::string text(const Json& object, const char* key) { return object.value(key, std::string()); }

void check_version(const Json& json, const ReadContext& context) {
  if (!json.contains("version")) return;
  const Json& version = json["version"];
  if (!version.is_number_integer() || version == 2) return;  // the schema speaks about other types
  wrong(fmt::format("{}: version", context.file),
        fmt::format("pacenote reads version 2, this is {}", to_text(version)),
        version > 2 ? "a newer pacenote may read it" : "migrate the track to version 2");
}

/// Takes out of `json` what the schema finds wrong: the innermost list element around it becomes null, which
/// the readers leave out, and all around it is read for what else is wrong. Returns the top-level keys that
/// hold something wrong outside of a list: those parts cannot be read.
std::set<std::string> take_out_unsound(Json& json, const ReadContext& context, Problems& problems) {
  std::set<std::string> out;
  for (const SchemaProblem& problem : schema_problems(json)) {
    problems.add(UserError(fmt::format("{}: {}", context.file, problem.text), kTrackHint));
    Json* at = &json;
    Json* element = nullptr;
    for (const std::string& part : problem.path) {
      const bool list = at->is_array();
      at = list ? &(*at)[std::stoul(part)] : at->is_object() && at->contains(part) ? &(*at)[part] : nullptr;
      if (at == nullptr) break;
      if (list) element = at;
    }
    if (element != nullptr)
      *element = nullptr;
    else if (!problem.path.empty())
      out.insert(problem.path.front());
  }
  return out;
}

bool has_null(const Json& list) {
  return list.is_array() && std::find(list.begin(), list.end(), Json()) != list.end();
}

/// Where the challenges stand: Rally's word or that of OpenSearch Benchmark. Empty: in none, or too many.
std::string key_of_challenges(const Json& json, const ReadContext& context, Problems& problems) {
  std::vector<std::string> given;
  for (const char* key : {"schedule", "challenge", "challenges", "test_procedure", "test_procedures"})
    if (json.contains(key)) given.emplace_back(key);
  if (given.size() == 1) return given.front();
  problems.add(UserError(
      given.empty()
          ? fmt::format("{}: one of `schedule`, `challenge` and `challenges` is required", context.file)
          : fmt::format("{}: only one of {} may be given", context.file, fmt::join(given, ", ")),
      kTrackHint));
  return {};
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
                         const std::string& where, Problems& problems) {
  Challenge out;
  out.name = text(json, "name");
  out.description = text(json, "description");
  out.user_info = text(json, "user-info");
  out.is_default = json.value("default", false);
  out.meta = json.value("meta", Json::object());
  out.parameters = merged_parameters(track, json);
  out.schedule = read_schedule(json["schedule"], operations, fmt::format("{}schedule", where), problems);
  return out;
}

/// `all`: none was left out as unsound, so that the default must be among them.
void check_defaults(const std::vector<Challenge>& challenges, bool all, const std::string& file,
                    Problems& problems) {
  std::set<std::string> names;
  std::vector<std::string> defaults;
  for (const Challenge& challenge : challenges) {
    if (!names.insert(challenge.name).second)
      problems.add(UserError(fmt::format("{}: two challenges are named [{}]", file, challenge.name),
                             "give one of them another name"));
    if (challenge.is_default) defaults.push_back(challenge.name);
  }
  if (defaults.size() > 1)
    problems.add(UserError(fmt::format("{}: only one challenge may be the default; these are: {}", file,
                                       fmt::join(defaults, ", ")),
                           "keep \"default\": true in one of them"));
  if (defaults.empty() && all)
    problems.add(UserError(fmt::format("{}: no challenge is the default", file),
                           "give one of them \"default\": true"));
}

std::vector<Challenge> read_challenges(const Json& json, const std::string& key, const Operations& operations,
                                       const ReadContext& context, Problems& problems) {
  std::vector<Challenge> out;
  if (key == "schedule") {
    const Json shorthand = {{"name", "default"}, {"schedule", json["schedule"]}};
    out.push_back(read_challenge(json, shorthand, operations, fmt::format("{}: ", context.file), problems));
    out.back().auto_generated = true;
  } else if (json[key].is_object()) {
    out.push_back(
        read_challenge(json, json[key], operations, fmt::format("{}: {}.", context.file, key), problems));
  } else {
    for (std::size_t i = 0; i < json[key].size(); ++i)
      if (!json[key][i].is_null())
        out.push_back(read_challenge(json, json[key][i], operations,
                                     fmt::format("{}: {}[{}].", context.file, key, i), problems));
  }
  const bool all = !has_null(json[key]);
  if (out.size() == 1 && all) out.front().is_default = true;
  check_defaults(out, all, context.file, problems);
  return out;
}

Track read_checked(const Json& given, ReadContext context, Problems& problems) {
  if (!given.is_object()) wrong(context.file, fmt::format("must be an object; found {}", given.type_name()));
  check_version(given, context);
  Json sound_parts = given;
  const std::set<std::string> unsound = take_out_unsound(sound_parts, context, problems);
  const Json& json = sound_parts;
  const auto sound = [&](const std::string& key) { return !unsound.contains(key); };
  const std::string challenges = key_of_challenges(json, context, problems);
  if (json.contains("indices") && json.contains("data-streams"))
    problems.add(UserError(fmt::format("{}: `indices` and `data-streams` exclude each other", context.file),
                           "keep one of them"));
  Track track;
  track.name = context.name;
  track.description = json.contains("description") && sound("description") ? text(json, "description") : "";
  if (sound("meta")) track.meta = json.value("meta", Json::object());
  const bool targets = sound("indices") && sound("data-streams");
  if (targets) read_indices(json, context, track, problems);
  context.targets_known =
      targets && !has_null(json.value("indices", Json())) && !has_null(json.value("data-streams", Json()));
  const auto templates = [&](const char* key) {
    return sound(key) ? read_templates(json, key, context, problems) : std::vector<Template>();
  };
  track.templates = templates("templates");
  track.composable_templates = templates("composable-templates");
  track.component_templates = templates("component-templates");
  if (sound("corpora")) track.corpora = read_corpora(json, track, context, problems);
  Operations operations;
  if (sound("operations")) operations = read_operations(json, context, problems);
  if (!challenges.empty() && sound(challenges) && sound("parameters"))
    track.challenges = read_challenges(json, challenges, operations, context, problems);
  return track;
}

}  // namespace

Track read_track(const Json& json, const ReadContext& context) {
  Problems problems;
  Track track;
  problems.attempt(context.file, [&] { track = read_checked(json, context, problems); });
  if (!problems.none())  // else who races asks, of the challenge that is raced
    for (const Challenge& challenge : track.challenges)
      problems.attempt(challenge.name, [&] { check_operations(challenge, context.plugin); });
  problems.raise();
  return track;
}

}  // namespace pacenote::tracks
