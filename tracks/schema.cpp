#include "tracks/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace pacenote::tracks {
namespace {

using Plain = nlohmann::json;  // what valijson's adapter reads
using Path = std::vector<std::string>;

const valijson::Schema& compiled() {
  static const Plain text = Plain::parse(track_schema().dump());
  static const std::unique_ptr<valijson::Schema> schema = [] {
    auto made = std::make_unique<valijson::Schema>();
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), *made);
    return made;
  }();
  return *schema;
}

/// valijson's "[schedule]" and "[0]" as "schedule" and "0"; its root is dropped.
Path path_of(const std::vector<std::string>& context) {
  Path path;
  for (const std::string& part : context)
    if (part.size() > 2 && part.front() == '[') path.push_back(part.substr(1, part.size() - 2));
  return path;
}

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string shown(const Path& path) {
  std::string out;
  for (const std::string& part : path)
    out += is_number(part) ? fmt::format("[{}]", part) : fmt::format("{}{}", out.empty() ? "" : ".", part);
  return out.empty() ? "the top level" : out;
}

const Json* value_at(const Json& track, const Path& path) {
  const Json* at = &track;
  for (const std::string& part : path) {
    if (at->is_array() && is_number(part) && std::stoul(part) < at->size())
      at = &(*at)[std::stoul(part)];
    else if (at->is_object() && at->contains(part))
      at = &(*at)[part];
    else
      return nullptr;
  }
  return at;
}

const Json& resolved(const Json& schema) {
  if (!schema.contains("$ref")) return schema;
  return resolved(track_schema().at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1))));
}

/// The schema of the member `part`, looked for in the branches of allOf, then and else as well.
const Json* member(const Json& unresolved, const std::string& part) {
  const Json& schema = resolved(unresolved);
  if (is_number(part) && schema.contains("items")) return &schema["items"];
  if (schema.contains("properties") && schema["properties"].contains(part))
    return &schema["properties"][part];
  for (const char* branch : {"then", "else"})
    if (schema.contains(branch))
      if (const Json* found = member(schema[branch], part)) return found;
  if (schema.contains("allOf"))
    for (const Json& branch : schema["allOf"])
      if (const Json* found = member(branch, part)) return found;
  return nullptr;
}

std::string wanted(const Json& unresolved) {
  const Json& schema = resolved(unresolved);
  if (schema.contains("enum")) return fmt::format("one of {}", to_text(schema["enum"]));
  if (schema.contains("anyOf")) {
    std::string out;
    for (const Json& choice : schema["anyOf"])
      out += fmt::format("{}{}", out.empty() ? "" : " or ", wanted(choice));
    return out;
  }
  std::string out = schema.value("type", std::string("something else"));
  if (schema.contains("minimum")) out += fmt::format(" of at least {}", to_text(schema["minimum"]));
  if (schema.contains("maximum")) out += fmt::format(" and at most {}", to_text(schema["maximum"]));
  if (schema.contains("minItems")) out += " that is not empty";
  if (schema.contains("uniqueItems")) out += " without duplicates";
  return out;
}

std::string found(const Json& value) {
  std::string text = to_text(value);
  if (text.size() > 60) text = fmt::format("{}…", text.substr(0, 60));
  return value.is_structured() ? fmt::format("{} {}", value.type_name(), text) : text;
}

/// The first name that `value` lacks although the schema requires it.
std::optional<std::string> missing(const Json& unresolved, const Json& value) {
  const Json& schema = resolved(unresolved);
  if (schema.contains("required"))
    for (const Json& name : schema["required"])
      if (!value.contains(name.get<std::string>())) return name.get<std::string>();
  if (schema.contains("else") && !value.contains("parallel")) return missing(schema["else"], value);
  if (schema.contains("allOf"))
    for (const Json& branch : schema["allOf"])
      if (const auto name = missing(branch, value)) return name;
  return std::nullopt;
}

std::string problem(const Json& track, const Path& path) {
  const Json* schema = &track_schema();
  for (const std::string& part : path)
    if (schema != nullptr) schema = member(*schema, part);
  const Json* value = value_at(track, path);
  if (schema == nullptr || value == nullptr) return fmt::format("{} is not as it must be", shown(path));
  if (value->is_object())
    if (const auto name = missing(*schema, *value))
      return fmt::format("{}: `{}` is missing", shown(path), *name);
  return fmt::format("{}: must be {}; found {}", shown(path), wanted(*schema), found(*value));
}

/// valijson also reports each parent of a wrong value: only the deepest paths say something.
void keep_deepest(std::vector<Path>& paths) {
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  std::vector<Path> deepest;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const bool parent = i + 1 < paths.size() && paths[i].size() < paths[i + 1].size() &&
                        std::equal(paths[i].begin(), paths[i].end(), paths[i + 1].begin());
    if (!parent) deepest.push_back(paths[i]);
  }
  paths = std::move(deepest);
}

}  // namespace

std::vector<SchemaProblem> schema_problems(const Json& track) {
  const Plain plain = Plain::parse(track.dump(-1, ' ', false, Json::error_handler_t::replace));
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  if (validator.validate(compiled(), valijson::adapters::NlohmannJsonAdapter(plain), &results)) return {};
  std::vector<Path> paths;
  for (const auto& error : results) paths.push_back(path_of(error.context));
  keep_deepest(paths);
  std::vector<SchemaProblem> out;
  for (const Path& path : paths) out.push_back({path, problem(track, path)});
  return out;
}

}  // namespace pacenote::tracks
