// Creates indices, those that the track declares or one of the operation's own. Elasticsearch: "Create index
// API".
#include "core/error.hpp"
#include "core/operations/source.hpp"
#include "core/operations/steps.hpp"
#include "core/operations/targets.hpp"

namespace pacenote {
namespace {

/// [[name, body], …]; `settings` are merged over those of a declared body, key by key.
Json indices_of(const Fields& params, const Track& track) {
  const std::vector<std::string> names = params.list("index");
  Json out = Json::array();
  if (track.indices.empty()) {
    const Json* own = params.find("body");
    for (const std::string& name : names) out.push_back(Json::array({name, own == nullptr ? Json() : *own}));
    if (names.empty()) params.fail("index", "is missing, and the track declares no indices");
    return out;
  }
  for (const Index& index : track.indices) {
    if (!selected(names, index.name)) continue;
    Json body = index.body;
    for (const auto& [key, value] : params.object("settings").items()) body["settings"][key] = value;
    out.push_back(Json::array({index.name, std::move(body)}));
  }
  return out;
}

std::unique_ptr<Runner> create_index_runner(const Operation& operation) {
  return put_each(operation, "indices", "");
}

std::unique_ptr<ParamSource> create_index_source(const Operation& operation, const Track& track, Share) {
  Json params = operation.params;
  params["indices"] = indices_of(Fields(operation.params, operation.name), track);
  return constant_source(std::move(params), request_options(operation));
}

std::vector<std::string> creates(const Operation& operation, const Track& track) {
  std::vector<std::string> names;
  if (!operation.param_source.empty()) return names;
  for (const Json& index : indices_of(Fields(operation.params, operation.name), track))
    names.push_back(index[0].get<std::string>());
  return names;
}

const Registered<OperationType> create_index_type{
    "create-index",
    {"Creates the track's indices, or `index` with `body`.", true, true, create_index_runner,
     create_index_source, nullptr, creates}};

}  // namespace
}  // namespace pacenote
