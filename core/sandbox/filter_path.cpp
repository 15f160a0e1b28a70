#include "core/sandbox/filter_path.hpp"

#include "core/json.hpp"
#include "core/sandbox/handler.hpp"

namespace pacenote::sandbox {
namespace {

using Path = std::vector<std::string>;

/// What is left of the paths one step down, below `key`. True if one of them ends there: everything is kept.
bool step(const std::vector<Path>& paths, const std::string& key, std::vector<Path>& below) {
  for (const Path& path : paths) {
    if (path.empty()) return true;
    if (path.front() == "**") {
      below.push_back(path);
      if (path.size() > 1 && wildcard_match(path[1], key)) below.emplace_back(path.begin() + 2, path.end());
    } else if (wildcard_match(path.front(), key)) {
      below.emplace_back(path.begin() + 1, path.end());
    }
  }
  return std::any_of(below.begin(), below.end(), [](const Path& path) { return path.empty(); });
}

/// None where nothing is left.
std::optional<Json> kept(const Json& json, const std::vector<Path>& paths) {
  if (paths.empty() || json.is_primitive()) return std::nullopt;
  Json out = json.is_array() ? Json::array() : Json::object();
  if (json.is_array()) {
    for (const Json& element : json)
      if (auto part = kept(element, paths)) out.push_back(std::move(*part));
  } else {
    for (const auto& [key, value] : json.items()) {
      std::vector<Path> below;
      if (step(paths, key, below))
        out[key] = value;
      else if (auto part = kept(value, below))
        out[key] = std::move(*part);
    }
  }
  if (out.empty()) return std::nullopt;
  return out;
}

}  // namespace

void keep_only(Answer& answer, const std::string& paths) {
  const Json json = parse_json(answer.body);
  if (json.is_discarded() || paths.empty()) return;
  std::vector<Path> wanted;
  for (const std::string& path : split(paths, ',')) wanted.push_back(split(path, '.'));
  answer.body = to_text(kept(json, wanted).value_or(Json::object()));
}

}  // namespace pacenote::sandbox
