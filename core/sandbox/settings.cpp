// Index settings: nested or dotted as users write them, flat texts as they are kept.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/sandbox/handler.hpp"

namespace pacenote::sandbox {
namespace {

Json as_text(const Json& value) {
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& element : value) out.push_back(as_text(element));
    return out;
  }
  if (value.is_string() || value.is_null()) return value;
  return to_text(value);
}

void flatten(const Json& value, const std::string& prefix, Json& out) {
  for (const auto& [key, inner] : value.items()) {
    const std::string name = prefix.empty() ? key : fmt::format("{}.{}", prefix, key);
    if (inner.is_object() && !inner.empty())
      flatten(inner, name, out);
    else
      out[name] = as_text(inner);
  }
}

/// What may come after "index."; those that end in a dot or underscore are beginnings.
constexpr std::array<std::string_view, 49> kKnownSettings{"number_of_shards",
                                                          "number_of_replicas",
                                                          "refresh_interval",
                                                          "codec",
                                                          "translog.",
                                                          "merge.",
                                                          "mapping.",
                                                          "mapper.",
                                                          "routing.",
                                                          "blocks.",
                                                          "max_",
                                                          "sort.",
                                                          "analysis.",
                                                          "similarity.",
                                                          "search.",
                                                          "indexing.",
                                                          "queries.",
                                                          "requests.",
                                                          "soft_deletes.",
                                                          "auto_expand_replicas",
                                                          "lifecycle.",
                                                          "store.",
                                                          "unassigned.",
                                                          "hidden",
                                                          "priority",
                                                          "write.",
                                                          "number_of_routing_shards",
                                                          "query.",
                                                          "gc_deletes",
                                                          "default_pipeline",
                                                          "final_pipeline",
                                                          "knn",
                                                          "mode",
                                                          "time_series.",
                                                          "look_",
                                                          "routing_path",
                                                          "shard.",
                                                          "warmer.",
                                                          "highlight.",
                                                          "fielddata.",
                                                          "allocation.",
                                                          "routing_partition_size",
                                                          "load_fixed_bitset_filters_eagerly",
                                                          "flush_after_merge",
                                                          "plugins.",
                                                          "replication.",
                                                          "recovery.",
                                                          "resize.",
                                                          "esql."};

}  // namespace

Json flat_settings(const Json& settings) {
  Json out = Json::object();
  flatten(settings, "", out);
  return out;
}

Json nested_settings(const Json& flat) {
  Json out = Json::object();
  for (const auto& [key, value] : flat.items()) {
    Json* at = &out;
    std::string_view rest = key;
    for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
      Json& inner = (*at)[std::string(rest.substr(0, dot))];
      if (!inner.is_object()) inner = Json::object();
      at = &inner;
      rest.remove_prefix(dot + 1);
    }
    (*at)[std::string(rest)] = value;
  }
  return out;
}

Json index_settings(const Json& settings) {
  const Json flat = flat_settings(settings);
  Json out = Json::object();
  for (const auto& [key, value] : flat.items()) out[key.starts_with("index.") ? key.substr(6) : key] = value;
  return out;
}

bool known_index_setting(std::string_view name) {
  return std::any_of(kKnownSettings.begin(), kKnownSettings.end(), [&](std::string_view known) {
    return known.back() == '.' || known.back() == '_'
               ? name.starts_with(known)
               : name == known || name.starts_with(fmt::format("{}.", known));
  });
}

std::optional<Answer> refuse_settings(const Json& settings) {
  for (const auto& [name, value] : settings.items()) {
    if (!known_index_setting(name))
      return error_answer(
          400, "illegal_argument_exception",
          fmt::format("unknown setting [index.{}] please check that any required plugins are "
                      "installed, or check the breaking changes documentation for removed settings",
                      name));
    const bool shards = name == "number_of_shards";
    if ((!shards && name != "number_of_replicas") || value.is_null()) continue;
    const std::string text = value.is_string() ? value.get<std::string>() : to_text(value);
    const auto number = parse_bytes(text);
    const std::uint64_t least = shards ? 1 : 0, most = shards ? 1024 : 1'000'000;
    if (number && *number >= least && *number <= most && text.find_first_not_of("0123456789") == text.npos)
      continue;
    const std::string limit = number && *number > most ? fmt::format(" must be <= {}", most)
                              : number                 ? fmt::format(" must be >= {}", least)
                                                       : "";
    return error_answer(
        400, "illegal_argument_exception",
        fmt::format("Failed to parse value [{}] for setting [index.{}]{}", text, name, limit));
  }
  return std::nullopt;
}

}  // namespace pacenote::sandbox
