// Which documents a search finds, in which order, and how they are written.
#include <fmt/format.h>

#include <algorithm>

#include "core/sandbox/search.hpp"

namespace pacenote::sandbox {
namespace {

Json sort_value(const Hit& hit, const SortKey& key) {
  if (key.field == "_shard_doc") return (std::uint64_t{hit.document->shard} << 32) + hit.document->sequence;
  if (key.field == "_doc" || key.field == "_seq_no") return hit.document->sequence;
  if (key.field == "_score") return 1.0;
  if (key.field == "_id") return hit.document->id;
  std::vector<const Json*> values;
  values_at(hit.document->json(),
            key.field.ends_with(".keyword") ? key.field.substr(0, key.field.size() - 8) : key.field, values);
  return values.empty() ? Json() : *values.front();
}

/// Missing values last, whatever the direction.
int compare(const Json& a, const Json& b, bool descending) {
  if (a.is_null() || b.is_null()) return static_cast<int>(a.is_null()) - static_cast<int>(b.is_null());
  const int order = a < b ? -1 : b < a ? 1 : 0;
  return descending ? -order : order;
}

struct Keyed {
  Hit hit;
  std::vector<Json> keys;
};

int compare(const std::vector<Json>& a, const std::vector<Json>& b, const std::vector<SortKey>& sort) {
  for (std::size_t i = 0; i < sort.size() && i < a.size() && i < b.size(); ++i)
    if (const int order = compare(a[i], b[i], sort[i].descending); order != 0) return order;
  return 0;
}

bool in_filter(const Json& filter, const std::string& field) {
  if (filter.is_string()) return wildcard_match(filter.get<std::string>(), field);
  return std::any_of(filter.begin(), filter.end(), [&](const Json& one) {
    return one.is_string() && wildcard_match(one.get<std::string>(), field);
  });
}

/// The source as the request wants it: all, none, or some top-level fields; empty text: none.
std::string source_of(const Document& document, const Json& filter) {
  if (filter.is_boolean() && !filter.get<bool>()) return {};
  if (filter.is_null() || filter.is_boolean()) return std::string(document.source);
  const bool object = filter.is_object();
  const Json includes = object ? filter.value("includes", Json::array({"*"})) : filter;
  const Json excludes = object ? filter.value("excludes", Json::array()) : Json::array();
  Json out = Json::object();
  for (const auto& [key, value] : document.json().items())
    if (in_filter(includes, key) && !in_filter(excludes, key)) out[key] = value;
  return to_text(out);
}

void append_hit(std::string& out, const State& state, const SearchRequest& request, const Hit& hit) {
  out += fmt::format(R"({{"_index":"{}",{}"_id":{},"_score":{})", hit.index->name,
                     state.flavor == Flavor::elasticsearch_7 ? R"("_type":"_doc",)" : "",
                     to_text(hit.document->id), request.sort.empty() ? "1.0" : "null");
  const std::string source = source_of(*hit.document, request.body.value("_source", Json()));
  if (!source.empty()) out += fmt::format(R"(,"_source":{})", source);
  if (!request.sort.empty()) {
    Json keys = Json::array();
    for (const SortKey& key : request.sort) keys.push_back(sort_value(hit, key));
    out += fmt::format(R"(,"sort":{})", to_text(keys));
  }
  out += '}';
}

}  // namespace

void find(const Index& index, const SearchRequest& request, Found& found,
          const std::vector<std::uint64_t>* ends) {
  std::uint64_t searchable = 0, matching = 0;
  for (const Document& document : index.kept.all()) {
    if (request.query.all && !request.every_hit && found.hits.size() >= request.from + request.size) break;
    if (!document.live || !document.searchable) continue;
    if (ends != nullptr && document.sequence >= ends->at(document.shard)) continue;
    ++searchable;
    if (!request.query.matches(document)) continue;
    ++matching;
    found.hits.push_back({&index, &document});
  }
  const bool counted = request.query.all && ends == nullptr;
  found.total += counted ? index.docs() : matching;
  found.exact = found.exact && (counted || searchable >= index.docs());
}

void order(const SearchRequest& request, Found& found) {
  if (request.sort.empty()) return;
  std::vector<Keyed> keyed;
  for (const Hit& hit : found.hits) {
    keyed.push_back({hit, {}});
    for (const SortKey& key : request.sort) keyed.back().keys.push_back(sort_value(hit, key));
  }
  std::stable_sort(keyed.begin(), keyed.end(),
                   [&](const Keyed& a, const Keyed& b) { return compare(a.keys, b.keys, request.sort) < 0; });
  found.hits.clear();
  const std::vector<Json> after = request.body.value("search_after", std::vector<Json>());
  for (const Keyed& one : keyed)
    if (after.empty() || compare(one.keys, after, request.sort) > 0) found.hits.push_back(one.hit);
}

void append_hits(std::string& out, const State& state, const SearchRequest& request, const Found& found) {
  out += R"("hits":{)";
  if (request.track > 0)
    out += fmt::format(R"("total":{{"value":{},"relation":"{}"}},)", std::min(found.total, request.track),
                       found.exact && found.total <= request.track ? "eq" : "gte");
  out +=
      fmt::format(R"("max_score":{},"hits":[)", !request.sort.empty() || found.hits.empty() ? "null" : "1.0");
  const std::uint64_t end = std::min<std::uint64_t>(request.from + request.size, found.hits.size());
  for (std::uint64_t i = request.from; i < end; ++i) {
    if (i > request.from) out += ',';
    append_hit(out, state, request, found.hits[i]);
  }
  out += "]}";
}

}  // namespace pacenote::sandbox
