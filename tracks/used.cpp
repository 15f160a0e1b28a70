#include "tracks/used.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/suggest.hpp"

namespace pacenote::tracks {
namespace {

std::vector<std::string> names_in(const Json& params, const char* key) {
  const Json value = params.value(key, Json());
  if (value.is_string()) return {value.get<std::string>()};
  std::vector<std::string> out;
  if (value.is_array())
    for (const Json& name : value) out.push_back(name.is_string() ? name.get<std::string>() : to_text(name));
  return out;
}

bool chosen(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

/// Adds the document sets that one bulk task reads.
void add_used(const Track& track, const Task& task, std::set<const Documents*>& used) {
  const Json& params = task.operation.params;
  const std::vector<std::string> corpora = names_in(params, "corpora"), indices = names_in(params, "indices"),
                                 streams = names_in(params, "data-streams");
  if (track.corpora.empty())
    throw UserError(
        fmt::format("task [{}] is a bulk, but the track [{}] has no corpora", task.name, track.name),
        "declare `corpora` in the track");
  std::vector<std::string> known;
  bool any = false;
  for (const Corpus& corpus : track.corpora) {
    known.push_back(corpus.name);
    if (!chosen(corpora, corpus.name)) continue;
    for (const Documents& documents : corpus.documents) {
      if (!chosen(indices, documents.target_index) || !chosen(streams, documents.target_data_stream))
        continue;
      used.insert(&documents);
      any = true;
    }
  }
  if (any) return;
  throw UserError(
      fmt::format("task [{}] is a bulk, but no documents of the track [{}] fit its `corpora`, `indices` and "
                  "`data-streams`",
                  task.name, track.name),
      corpora.empty() ? fmt::format("corpora: {}", fmt::join(known, ", "))
                      : suggestion(corpora.front(), known));
}

}  // namespace

std::set<const Documents*> used_by(const Track& track, const Task& task) {
  std::set<const Documents*> used;
  if (task.operation.type == "bulk") add_used(track, task, used);
  return used;
}

std::set<const Documents*> used_by(const Track& track, const Challenge& challenge) {
  std::set<const Documents*> used;
  for (const Parallel& step : challenge.schedule)
    for (const Task& task : step.tasks) used.merge(used_by(track, task));
  return used;
}

}  // namespace pacenote::tracks
