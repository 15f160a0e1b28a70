#include "tracks/create/described.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/error.hpp"
#include "tracks/files.hpp"

namespace pacenote::tracks {
namespace {

UserError means_nothing(std::string_view kind, const std::string& pattern) {
  return UserError(fmt::format("there is no {} [{}] in the cluster", kind, pattern),
                   "GET /_cat/indices?expand_wildcards=all shows what there is");
}

/// The answer's object; 404: none. What may come is refused by name.
Async<Json> ask_for(Transport& cluster, std::string target, std::string what) {
  const Request request(Method::get, std::move(target));
  const Response response = co_await cluster.send(request);
  if (response.status == 404) co_return Json();
  Json answer = pacenote::parse_json(response.body);
  if (!response.ok() || !answer.is_object()) refused_by_cluster(response, what);
  co_return answer;
}

Json member_object(const Json& object, const char* key) {
  const auto it = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && it != object.end() && it->is_object() ? *it : Json::object();
}

std::uint32_t shards_of(const Json& settings) {
  const auto it = settings.find("number_of_shards");
  if (it == settings.end()) return 1;
  const std::string text = it->is_string() ? it->get<std::string>() : to_text(*it);
  std::uint32_t shards = 1;
  std::from_chars(text.data(), text.data() + text.size(), shards);
  return std::clamp(shards, 1u, 1024u);
}

bool hidden(const std::string& name, const Json& settings) {
  const auto it = settings.find("hidden");
  return name.starts_with('.') || (it != settings.end() && (*it == "true" || *it == true));
}

/// Takes out what belongs to this very index, and what would change or refuse its documents.
void make_portable(Described& index, Notes& notes) {
  Json& settings = index.settings;
  for (const char* key :
       {"uuid", "creation_date", "creation_date_string", "version", "provided_name", "store", "history_uuid",
        "resize", "blocks", "verified_before_close", "shard_limit_group"})
    settings.erase(key);
  if (settings.contains("routing")) {
    Json& routing = settings["routing"];
    if (routing.is_object() && routing.contains("allocation") && routing["allocation"].is_object())
      routing["allocation"].erase("initial_recovery");
  }
  for (const char* key : {"default_pipeline", "final_pipeline"})
    if (settings.erase(key) > 0)
      notes.info(fmt::format("index [{}]: its {} is left out, for its documents went through it already",
                             index.name, key));
  if (!index.stream) return;
  for (const char* key : {"hidden", "lifecycle"}) settings.erase(key);
  index.mappings.erase("_data_stream_timestamp");
}

/// A name becomes a file's name.
void check_name(const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos || !stays_inside(name))
    throw UserError(fmt::format("the cluster names an index [{}], which cannot be", name),
                    "is this an Elasticsearch or OpenSearch cluster?");
}

Described described(const std::string& name, const Json& said) {
  check_name(name);
  Described out;
  out.name = name;
  out.settings = member_object(member_object(said, "settings"), "index");
  out.mappings = member_object(said, "mappings");
  out.sources = {{name, shards_of(out.settings)}};
  return out;
}

bool has(const std::vector<Described>& all, const std::string& name) {
  return std::any_of(all.begin(), all.end(), [&](const Described& one) { return one.name == name; });
}

/// A data stream: made like the index that is written to now, with the documents of all.
Described stream_of(const std::string& name, const Json& backing, const Json& said) {
  Described out;
  for (const Json& index : backing) {
    const std::string one = index.value("index_name", "");
    if (!said.contains(one)) continue;
    Described part = described(one, said.at(one));
    out.settings = std::move(part.settings);
    out.mappings = std::move(part.mappings);
    out.sources.push_back(part.sources.front());
  }
  check_name(name);
  out.name = name;
  out.stream = true;
  return out;
}

}  // namespace

Async<std::vector<Described>> describe_indices(Transport& cluster, std::vector<std::string> patterns,
                                               Notes& notes) {
  std::vector<Described> out;
  for (const std::string& pattern : patterns) {
    std::string target = fmt::format("/{}?expand_wildcards=all", url_encode(pattern));
    std::string what = fmt::format("the settings of index [{}]", pattern);
    const Json answer = co_await ask_for(cluster, std::move(target), std::move(what));
    const std::size_t before = out.size();
    const bool all = pattern == "*" || pattern == "_all";
    for (const auto& [name, said] : answer.items()) {
      if (has(out, name)) continue;
      Described one = described(name, said);
      if (all && hidden(name, one.settings)) continue;
      make_portable(one, notes);
      out.push_back(std::move(one));
    }
    if (out.size() == before && (!answer.is_object() || answer.empty() || all))
      throw means_nothing("index", pattern);
  }
  co_return out;
}

Async<std::vector<Described>> describe_streams(Transport& cluster, std::vector<std::string> patterns,
                                               Notes& notes) {
  std::vector<Described> out;
  for (const std::string& pattern : patterns) {
    std::string target = fmt::format("/_data_stream/{}", url_encode(pattern));
    std::string what = fmt::format("data stream [{}]", pattern);
    const Json answer = co_await ask_for(cluster, std::move(target), what);
    const Json streams = answer.is_object() ? answer.value("data_streams", Json::array()) : Json::array();
    if (streams.empty()) throw means_nothing("data stream", pattern);
    for (const Json& stream : streams) {
      const std::string name = stream.value("name", "");
      if (has(out, name)) continue;
      std::string indices = fmt::format("/{}?expand_wildcards=all", url_encode(name));
      const Json said = co_await ask_for(cluster, std::move(indices), what);
      Described one = stream_of(name, stream.value("indices", Json::array()), said);
      if (one.sources.empty()) throw means_nothing("data stream", name);
      make_portable(one, notes);
      out.push_back(std::move(one));
    }
  }
  co_return out;
}

}  // namespace pacenote::tracks
