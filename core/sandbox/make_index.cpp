// A new index: settings and mappings from its templates and its body.
#include <algorithm>

#include "core/sandbox/handler.hpp"

namespace pacenote::sandbox {
namespace {

bool patterns_match(const Json& holder, const std::string& name) {
  const auto it = holder.find("index_patterns");
  if (it == holder.end()) return false;
  if (it->is_string()) return wildcard_match(it->get<std::string>(), name);
  return std::any_of(it->begin(), it->end(), [&](const Json& pattern) {
    return pattern.is_string() && wildcard_match(pattern.get<std::string>(), name);
  });
}

void merge(Json& into, const Json& part) {
  if (part.contains("settings")) into["settings"].update(index_settings(part["settings"]));
  if (part.contains("mappings")) into["mappings"].merge_patch(part["mappings"]);
  if (part.contains("aliases")) into["aliases"].update(part["aliases"]);
}

void merge_legacy(const State& state, const std::string& name, Json& into) {
  std::vector<const Json*> found;
  for (const auto& [id, body] : state.legacy_templates)
    if (patterns_match(body, name)) found.push_back(&body);
  std::stable_sort(found.begin(), found.end(),
                   [](const Json* a, const Json* b) { return a->value("order", 0) < b->value("order", 0); });
  for (const Json* body : found) merge(into, *body);
}

}  // namespace

std::string matching_template(const State& state, const std::string& name) {
  std::string best;
  std::int64_t priority = -1;
  for (const auto& [id, body] : state.index_templates) {
    const std::int64_t own = body.value("priority", std::int64_t{0});
    if (patterns_match(body, name) && own > priority) {
      best = id;
      priority = own;
    }
  }
  return best;
}

Index& make_index(State& state, const std::string& name, const Json& body, Instant now) {
  Json whole = {{"settings", Json::object()}, {"mappings", Json::object()}, {"aliases", Json::object()}};
  const std::string composable = matching_template(state, name);
  if (composable.empty()) {
    merge_legacy(state, name, whole);
  } else {
    const Json& chosen = state.index_templates.at(composable);
    for (const Json& part : chosen.value("composed_of", Json::array()))
      if (const auto it = state.component_templates.find(part.get<std::string>());
          it != state.component_templates.end())
        merge(whole, it->second.value("template", Json::object()));
    merge(whole, chosen.value("template", Json::object()));
  }
  merge(whole, body);
  Index& index = state.indices[name];
  index.name = name;
  index.uuid = make_uuid(state.next_number++);
  index.created_ms = state.now_ms(now);
  index.refreshed = now;
  index.mappings = whole["mappings"];
  index.aliases = whole["aliases"];
  index.settings = whole["settings"];
  index.shards.resize(parse_bytes(index.setting("number_of_shards", "1")).value_or(1));
  index.settings_changed();
  Json& settings = index.settings;
  settings["number_of_shards"] = std::to_string(index.shards.size());
  settings["number_of_replicas"] = std::to_string(index.replicas);
  settings["provided_name"] = name;
  settings["creation_date"] = std::to_string(index.created_ms);
  settings["uuid"] = index.uuid;
  settings["version.created"] = state.opensearch()                        ? "136408427"
                                : state.flavor == Flavor::elasticsearch_7 ? "7172899"
                                                                          : "8512000";
  return index;
}

}  // namespace pacenote::sandbox
