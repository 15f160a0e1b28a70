#include "tracks/corpora.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <set>

#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/suggest.hpp"
#include "tracks/archive.hpp"
#include "tracks/files.hpp"
#include "tracks/generator.hpp"
#include "tracks/lines.hpp"

namespace pacenote::tracks {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t generated_bytes_per_document = 160;  // upper bound, for the space check

/// A file under a name of its own until it is whole; removed if that never happens.
class Draft {
 public:
  explicit Draft(fs::path target)
      : target_(std::move(target)), path_(fmt::format("{}.tmp-{}", target_.string(), ::getpid())) {}
  ~Draft() {
    std::error_code none;
    fs::remove(path_, none);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  const fs::path& path() const { return path_; }
  void keep() const {
    std::error_code error;
    fs::rename(path_, target_, error);
    if (error) throw UserError(fmt::format("{} cannot be written: {}", target_.string(), error.message()));
  }

 private:
  fs::path target_, path_;
};

/// Everything that preparing one document set needs to know.
struct Job {
  Documents& documents;
  std::vector<fs::path> folders;  ///< where it may be, first the track's own
  fs::path data_folder;
  bool test_mode;
  const PrepareProgress& progress;
};

/// Passes on what lasts longer than a tenth of a second, at most every tenth.
auto throttled(const Job& job, std::string what, std::uint64_t total, std::string unit) {
  return [&job, what = std::move(what), total, unit = std::move(unit),
          last = std::chrono::steady_clock::now()](std::uint64_t done) mutable {
    const auto now = std::chrono::steady_clock::now();
    if (!job.progress || now - last < std::chrono::milliseconds(100)) return;
    last = now;
    job.progress(what, done, total, unit);
  };
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || ::access(folder.c_str(), W_OK) != 0)
    throw UserError(fmt::format("the data folder {} cannot be written: {}", folder.string(),
                                error ? error.message() : "no permission"),
                    "name another by --data-dir");
}

void check_space(const fs::path& folder, std::uint64_t bytes) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (!error && space.available < bytes)
    throw UserError(fmt::format("{} needs {} bytes and has {} left", folder.string(), bytes, space.available),
                    "make room, or name another folder by --data-dir");
}

std::optional<fs::path> find(const Job& job, const std::string& file) {
  std::error_code none;
  for (const fs::path& folder : job.folders)
    if (fs::is_regular_file(folder / file, none)) return folder / file;
  return std::nullopt;
}

std::uint64_t size_of(const fs::path& file) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(file, error);
  if (error) throw UserError(fmt::format("{} cannot be read: {}", file.string(), error.message()));
  return size;
}

bool size_fits(const fs::path& file, const std::optional<std::uint64_t>& expected) {
  return !expected || size_of(file) == *expected;
}

[[noreturn]] void size_differs(const fs::path& file, std::uint64_t expected, const std::string& what) {
  throw UserError(fmt::format("{}: size differs: the track declares {} {}, the file has {}", file.string(),
                              expected, what, size_of(file)),
                  "put the right file there, or correct the track");
}

void make_generated(const Job& job, const fs::path& target) {
  make_folder(target.parent_path());
  check_space(target.parent_path(), job.documents.count * generated_bytes_per_document);
  const Draft draft(target);
  generate(
      job.documents.generator, job.documents.count, draft.path(),
      throttled(job, fmt::format("generating {}", target.filename().string()), job.documents.count, "docs"));
  draft.keep();
}

/// Unpacks beside the archive, or into the data folder where that folder is not ours to write.
fs::path unpacked(const Job& job, const fs::path& archive) {
  const Documents& documents = job.documents;
  if (!size_fits(archive, documents.compressed_bytes))
    size_differs(archive, *documents.compressed_bytes, "compressed bytes");
  const bool beside = ::access(archive.parent_path().c_str(), W_OK) == 0;
  const fs::path target =
      beside ? archive.parent_path() / fs::path(documents.file).filename() : job.data_folder / documents.file;
  make_folder(target.parent_path());
  check_space(target.parent_path(), documents.uncompressed_bytes.value_or(0));
  const Draft draft(target);
  unpack(archive, draft.path(), target.filename().string(), documents.uncompressed_bytes,
         throttled(job, fmt::format("unpacking {}", archive.filename().string()),
                   documents.uncompressed_bytes.value_or(0), "bytes"));
  if (!size_fits(draft.path(), documents.uncompressed_bytes))
    throw UserError(
        fmt::format("{}: size differs: the track declares {} uncompressed bytes, the archive holds {}",
                    archive.string(), *documents.uncompressed_bytes, size_of(draft.path())),
        "fetch the archive again, or correct the track");
  draft.keep();
  return target;
}

[[noreturn]] void not_there(const Job& job) {
  const std::string file = job.documents.archive.empty() ? job.documents.file : job.documents.archive;
  std::vector<std::string> looked;
  for (const fs::path& folder : job.folders) looked.push_back(folder.string());
  const std::string what =
      fmt::format("corpus file {} is missing: looked in {}", file, fmt::join(looked, " and "));
  if (job.test_mode && file.find("-1k") != std::string::npos)
    throw UserError(what, "the track may have no documents for --test-mode: run it without");
  if (job.documents.base_url.empty())
    throw UserError(
        what, fmt::format("the track names no base-url to fetch it from: put it into {}", looked.front()));
  std::string url = job.documents.base_url;
  while (url.ends_with('/')) url.pop_back();
  throw UserError(fmt::format("{}, and pacenote does not download yet", what),
                  fmt::format("fetch {}/{} and put it into {}", url, file, job.data_folder.string()));
}

LineCount counted(const Job& job, const fs::path& file) {
  const bool ours =
      file.string().starts_with(job.data_folder.string());  // a track's own folder is left alone
  if (ours)
    if (const auto known = remembered_lines(file)) return *known;
  const LineCount count = count_lines(
      file, throttled(job, fmt::format("counting {}", file.filename().string()), size_of(file), "bytes"));
  if (ours) remember_lines(file, count);
  return count;
}

bool lines_fit(const Job& job, const LineCount& count) {
  return count.blank == 0 &&
         count.filled == job.documents.count * (job.documents.includes_action_and_meta_data ? 2 : 1);
}

void check_lines(const Job& job, const fs::path& file) {
  const LineCount count = counted(job, file);
  if (lines_fit(job, count)) return;
  const bool actions = job.documents.includes_action_and_meta_data;
  const std::string blank = count.blank == 0 ? std::string() : fmt::format(" and {} blank", count.blank);
  throw UserError(fmt::format("{}: the track declares {} documents{}, the file has {} lines{}", file.string(),
                              job.documents.count, actions ? " (two lines each)" : "", count.filled, blank),
                  "put the right file there, or correct document-count in the track");
}

fs::path located(const Job& job) {
  const Documents& documents = job.documents;
  const std::optional<fs::path> file = find(job, documents.file);
  if (file && size_fits(*file, documents.uncompressed_bytes)) return *file;
  if (!documents.archive.empty())
    if (const auto archive = find(job, documents.archive)) return unpacked(job, *archive);
  if (file) size_differs(*file, *documents.uncompressed_bytes, "uncompressed bytes");
  not_there(job);
}

void prepare_one(const Job& job) {
  if (!job.documents.generator.is_null()) {
    job.documents.path = job.data_folder / job.documents.file;
    if (!find(job, job.documents.file) || !lines_fit(job, counted(job, job.documents.path)))
      make_generated(job, job.documents.path);
  } else {
    job.documents.path = located(job);
  }
  check_lines(job, job.documents.path);
}

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
void add_used(Track& track, const Task& task, std::set<const Documents*>& used) {
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

void check_inside(const Track& track, const std::string& name) {
  if (!stays_inside(name) || name.empty())
    throw UserError(
        fmt::format("track [{}] names the corpus file or folder {}, which lies outside its own folder",
                    track.name, name));
}

}  // namespace

void prepare(Track& track, const Challenge& challenge, const fs::path& data_dir, bool test_mode,
             const PrepareProgress& progress) {
  std::set<const Documents*> used;
  for (const Parallel& step : challenge.schedule)
    for (const Task& task : step.tasks)
      if (task.operation.type == "bulk") add_used(track, task, used);
  for (Corpus& corpus : track.corpora) {
    for (Documents& documents : corpus.documents) {
      if (!used.contains(&documents)) continue;
      for (const std::string& name : {corpus.name, documents.file}) check_inside(track, name);
      Job job{documents, {}, data_dir / corpus.name, test_mode, progress};
      if (!track.directory.empty()) job.folders.push_back(track.directory);
      job.folders.push_back(job.data_folder);
      prepare_one(job);
    }
  }
}

fs::path default_data_dir() {
  if (const std::string data = environment_variable("PACENOTE_DATA"); !data.empty()) return data;
  return own_data_folder("name a folder by --data-dir") / "data";
}

}  // namespace pacenote::tracks
