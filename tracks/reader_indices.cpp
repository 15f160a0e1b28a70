#include <fmt/format.h>

#include <algorithm>

#include "tracks/reader_parts.hpp"

namespace pacenote::tracks {
namespace {

/// Without a body: none, or (as workloads of OpenSearch Benchmark have it) an empty name.
Json body_of(const Json& item, const ReadContext& context) {
  const std::string file = item.value("body", std::string());
  return file.empty() ? Json::object() : context.body(file);
}

/// The part of a template's content that `template-path` (dotted) names.
Json template_body(const Json& item, const std::string& where, const ReadContext& context) {
  const std::string file = item["template"].get<std::string>();
  const Json whole = context.body(file);
  const std::string path = item.value("template-path", std::string());
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

Template read_template(const Json& item, const std::string& where, const ReadContext& context) {
  Template one;
  one.name = item["name"].get<std::string>();
  one.pattern = item.value("index-pattern", std::string());
  one.body = template_body(item, where, context);
  one.delete_matching_indices = item.value("delete-matching-indices", true);
  return one;
}

}  // namespace

void read_indices(const Json& json, const ReadContext& context, Track& track, Problems& problems) {
  for (std::size_t i = 0; json.contains("indices") && i < json["indices"].size(); ++i) {
    const Json& item = json["indices"][i];
    if (item.is_null()) continue;
    const std::string where = fmt::format("{}: indices[{}]", context.file, i);
    track.indices.push_back(
        {item["name"].get<std::string>(), Json::object()});  // known even if its body is wrong
    problems.attempt(where, [&] {
      if (item.contains("types"))
        wrong(fmt::format("{}.types", where), "document types no longer exist in Elasticsearch");
      track.indices.back().body = body_of(item, context);
    });
  }
  if (json.contains("data-streams"))
    for (const Json& item : json["data-streams"])
      if (!item.is_null()) track.data_streams.push_back({item["name"].get<std::string>()});
}

std::vector<Template> read_templates(const Json& json, const char* key, const ReadContext& context,
                                     Problems& problems) {
  std::vector<Template> out;
  for (std::size_t i = 0; json.contains(key) && i < json[key].size(); ++i) {
    const std::string where = fmt::format("{}: {}[{}]", context.file, key, i);
    if (json[key][i].is_null()) continue;
    problems.attempt(where, [&] { out.push_back(read_template(json[key][i], where, context)); });
  }
  return out;
}

}  // namespace pacenote::tracks
