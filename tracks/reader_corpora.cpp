#include <fmt/format.h>

#include <set>

#include "tracks/archive.hpp"
#include "tracks/reader_parts.hpp"

namespace pacenote::tracks {
namespace {

/// A key of the document set, else of its corpus.
template <class Value>
Value inherited(const Json& documents, const Json& corpus, const char* key, Value otherwise) {
  return documents.value(key, corpus.value(key, otherwise));
}

void check_format(const Json& json, const std::string& where, const ReadContext& context) {
  const std::string format = json.value("source-format", std::string("bulk"));
  const bool vectors = context.workload && (format == "hdf5" || format == "bigann");  // no bulk reads them
  if (format != "bulk" && !vectors)
    wrong(where, fmt::format("unknown `source-format` \"{}\": only \"bulk\" is known", format));
  if (json.contains("target-type"))
    wrong(where, "`target-type` is not supported: document types no longer exist in Elasticsearch");
}

/// Where documents without action lines go: their own target, their corpus's, or the only one declared. As
/// in Rally a corpus's target-index counts only where the track declares indices.
void read_targets(const Json& json, const Json& corpus, const Track& track, const std::string& where,
                  const ReadContext& context, Documents& out) {
  if (!context.targets_known) return;  // what is wrong with those is told already
  const bool streams = !track.data_streams.empty();
  const auto named = [&](const char* key) { return json.contains(key) || corpus.contains(key); };
  if (streams && named("target-index")) wrong(where, "`target-index` does not go with data streams");
  if (!streams && named("target-data-stream")) wrong(where, "`target-data-stream` does not go with indices");
  if (out.includes_action_and_meta_data) return;
  if (streams) {
    const std::string only = track.data_streams.size() == 1 ? track.data_streams.front().name : std::string();
    out.target_data_stream = inherited(json, corpus, "target-data-stream", only);
    if (out.target_data_stream.empty()) wrong(where, "`target-data-stream` is required");
    return;
  }
  const std::string only = track.indices.size() == 1 ? track.indices.front().name : std::string();
  const std::string shared = track.indices.empty() ? std::string() : corpus.value("target-index", only);
  out.target_index = json.value("target-index", shared);
  const bool blank = context.workload && (json.contains("target-index") || corpus.contains("target-index") ||
                                          track.indices.size() == 1);
  if (out.target_index.empty() && !blank) wrong(where, "`target-index` is required");
}

Documents read_documents(const Json& json, const Json& corpus, const Track& track, const std::string& where,
                         const ReadContext& context) {
  check_format(json, where, context);
  Documents out;
  const std::string source = json["source-file"].get<std::string>();
  const std::string extension = archive_extension(source);
  out.file = source.substr(0, source.size() - extension.size());
  if (!extension.empty()) out.archive = source;
  out.base_url = inherited(json, corpus, "base-url", std::string());
  if (!json.contains("document-count")) wrong(where, "`document-count` is missing");
  out.count = json["document-count"].get<std::uint64_t>();
  if (json.contains("compressed-bytes")) out.compressed_bytes = json["compressed-bytes"].get<std::uint64_t>();
  if (json.contains("uncompressed-bytes"))
    out.uncompressed_bytes = json["uncompressed-bytes"].get<std::uint64_t>();
  out.includes_action_and_meta_data = inherited(json, corpus, "includes-action-and-meta-data", false);
  out.generator = json.value("generator", Json());
  out.meta = json.value("meta", Json::object());
  read_targets(json, corpus, track, where, context, out);
  return out;
}

}  // namespace

std::vector<Corpus> read_corpora(const Json& json, const Track& track, const ReadContext& context,
                                 Problems& problems) {
  std::vector<Corpus> out;
  std::set<std::string> names;
  if (!json.contains("corpora")) return out;
  for (std::size_t i = 0; i < json["corpora"].size(); ++i) {
    const Json& corpus = json["corpora"][i];
    if (corpus.is_null()) continue;
    const std::string where = fmt::format("{}: corpora[{}]", context.file, i);
    Corpus one;
    one.name = corpus["name"].get<std::string>();
    problems.attempt(where, [&] {
      if (!names.insert(one.name).second) wrong(where, fmt::format("two corpora are named [{}]", one.name));
      check_format(corpus, where, context);
    });
    one.meta = corpus.value("meta", Json::object());
    for (std::size_t d = 0; d < corpus["documents"].size(); ++d) {
      if (corpus["documents"][d].is_null()) continue;
      const std::string at = fmt::format("{}.documents[{}]", where, d);
      problems.attempt(at, [&] {
        one.documents.push_back(read_documents(corpus["documents"][d], corpus, track, at, context));
      });
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace pacenote::tracks
