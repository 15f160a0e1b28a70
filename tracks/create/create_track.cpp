#include "tracks/create/create_track.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "tracks/create/described.hpp"
#include "tracks/create/extraction.hpp"
#include "tracks/create/half_made.hpp"
#include "tracks/create/track_text.hpp"
#include "tracks/file_lock.hpp"
#include "tracks/files.hpp"

namespace pacenote::tracks {
namespace {

namespace fs = std::filesystem;

fs::path new_track_folder(const CreateTrackOptions& options) {
  if (options.track.empty() || options.track.find('/') != std::string::npos || !stays_inside(options.track))
    throw UserError(fmt::format("[{}] is no name for a track", options.track),
                    "give a name without slashes to --track");
  const fs::path folder = options.output / options.track;
  if (fs::exists(folder / "track.json"))
    throw UserError(fmt::format("{} holds a track already", folder.string()),
                    "remove it, or give another name to --track or another folder to --output-path");
  std::error_code error;
  for (const char* inner : {"operations", "challenges"}) {
    fs::create_directories(folder / inner, error);
    if (error)
      throw UserError(fmt::format("cannot make folder {}: {}", folder.string(), error.message()),
                      "name a folder that you may write to: --output-path");
  }
  return folder;
}

void only_one_at_a_time(std::uint64_t) {
  throw UserError("another pacenote makes this track now", "wait for it, or give another name to --track");
}

std::string description_of(const std::vector<MadePart>& parts, const ClusterInfo& info) {
  std::vector<std::string> names;
  for (const MadePart& part : parts) names.push_back(part.described.name);
  const char* product = info.product == Product::opensearch ? "OpenSearch" : "Elasticsearch";
  return fmt::format("Made by pacenote from {} of {} {}", fmt::join(names, ", "), product, info.version);
}

}  // namespace

Async<CreatedTrack> create_track(Transport& cluster, Clock& clock, const ClusterInfo& info,
                                 const CreateTrackOptions& options, Notes& notes) {
  std::vector<Described> found;
  if (options.data_streams.empty())
    found = co_await describe_indices(cluster, options.indices, notes);
  else
    found = co_await describe_streams(cluster, options.data_streams, notes);
  CreatedTrack out;
  out.folder = new_track_folder(options);
  const fs::path lock_file = out.folder / ".create-track.lock";
  const FileLock lock(lock_file, only_one_at_a_time);
  HalfMade made(out.folder, info.uuid);
  ExtractOptions extraction{out.folder, options.batch, paging_of(info), info.product == Product::opensearch,
                            options.progress};
  std::vector<MadePart> parts;
  for (Described& one : found) {
    co_await extract(cluster, clock, one.name, one.sources, extraction, made, notes);
    const MadeCorpus& corpus = made.corpus(one.name);
    out.documents += corpus.documents;
    out.bytes += corpus.bytes;
    out.compressed_bytes += corpus.compressed_bytes;
    parts.push_back({std::move(one), corpus.documents, corpus.bytes, corpus.compressed_bytes});
  }
  const std::map<std::string, std::string> texts = track_texts(description_of(parts, info), parts);
  for (const auto& [file, text] : texts)
    if (file != "track.json") write_whole(out.folder / file, text);
  write_whole(out.folder / "track.json", texts.at("track.json"));
  made.remove();
  std::error_code gone_already;
  fs::remove(lock_file, gone_already);
  co_return out;
}

}  // namespace pacenote::tracks
