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
#include "tracks/archive.hpp"
#include "tracks/download.hpp"
#include "tracks/draft.hpp"
#include "tracks/file_lock.hpp"
#include "tracks/files.hpp"
#include "tracks/generator.hpp"
#include "tracks/lines.hpp"
#include "tracks/used.hpp"

namespace pacenote::tracks {
namespace fs = std::filesystem;
namespace {

/// Everything that preparing one document set needs to know.
struct Job {
  Documents& documents;
  std::vector<fs::path> folders;  ///< where it may be, first the track's own
  fs::path data_folder;
  const PrepareOptions& options;
};

/// Passes on what lasts longer than a tenth of a second, at most every tenth.
auto throttled(const Job& job, std::string what, std::uint64_t total, std::string unit) {
  return [&job, what = std::move(what), total, unit = std::move(unit),
          last = std::chrono::steady_clock::now()](std::uint64_t done) mutable {
    const auto now = std::chrono::steady_clock::now();
    if (!job.options.progress || now - last < std::chrono::milliseconds(100)) return;
    last = now;
    job.options.progress(what, done, total, unit);
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
  for (const fs::path& folder : job.folders) {
    if (!fs::is_regular_file(folder / file, none)) continue;
    if (folder != job.data_folder) check_links(folder, file);
    return folder / file;
  }
  return std::nullopt;
}

std::uint64_t size_of(const fs::path& file) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(file, error);
  if (error)
    throw UserError(fmt::format("{} cannot be read: {}", file.string(), error.message()),
                    "check its permissions");
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
  check_space(target.parent_path(), job.documents.count * kMostGeneratedBytes);
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

std::string url_of(const Job& job) {
  std::string url = job.documents.base_url;
  while (url.ends_with('/')) url.pop_back();
  return fmt::format("{}/{}", url,
                     job.documents.archive.empty() ? job.documents.file : job.documents.archive);
}

UserError not_there(const Job& job) {
  const std::string file = job.documents.archive.empty() ? job.documents.file : job.documents.archive;
  std::vector<std::string> looked;
  for (const fs::path& folder : job.folders) looked.push_back(folder.string());
  const std::string what =
      fmt::format("corpus file {} is missing: looked in {}", file, fmt::join(looked, " and "));
  if (job.options.test_mode && file.find("-1k") != std::string::npos)
    return UserError(
        what,
        "--test-mode takes the first thousand documents from a file of that name: make one, or race "
        "without it");
  if (job.documents.base_url.empty())
    return UserError(
        what, fmt::format("the track names no base-url to fetch it from: put it into {}", looked.front()));
  return UserError(
      fmt::format("{}, and --offline forbids to fetch it", what),
      fmt::format("fetch {} and put it into {}", without_credentials(url_of(job)), job.data_folder.string()));
}

/// Into the data folder; the archive where there is one. The room for what it unpacks to is looked for first.
fs::path fetched(const Job& job) {
  const Documents& documents = job.documents;
  const bool packed = !documents.archive.empty();
  const fs::path target = job.data_folder / (packed ? documents.archive : documents.file);
  make_folder(target.parent_path());
  Download what;
  what.url = url_of(job);
  what.size = packed ? documents.compressed_bytes : documents.uncompressed_bytes;
  what.sha256 = documents.meta.value("sha256", std::string());
  what.shortened = job.options.test_mode && target.filename().string().find("-1k") != std::string::npos;
  what.progress =
      throttled(job, fmt::format("fetching {}", target.filename().string()), what.size.value_or(0), "bytes");
  check_space(target.parent_path(),
              what.size.value_or(0) + (packed ? documents.uncompressed_bytes.value_or(0) : 0));
  download(what, target);
  return target;
}

LineCount counted(const Job& job, const fs::path& file) {
  // A track's own folder is left alone: what is known of its files lies in the data folder.
  const fs::path place =
      file.string().starts_with(job.data_folder.string()) ? file : job.data_folder / job.documents.file;
  job.documents.line_table = line_table_of(place);
  if (const auto known = remembered_lines(file, place)) return *known;
  const LineCount count = count_lines(
      file, throttled(job, fmt::format("counting {}", file.filename().string()), size_of(file), "bytes"));
  std::error_code none;
  fs::create_directories(place.parent_path(), none);
  remember_lines(file, place, count);
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

/// The uncompressed file where it is whole; none: it must be made.
std::optional<fs::path> whole(const Job& job) {
  const std::optional<fs::path> file = find(job, job.documents.file);
  return file && size_fits(*file, job.documents.uncompressed_bytes) ? file : std::nullopt;
}

/// One process makes the file while others that want it wait.
fs::path made(const Job& job) {
  const Documents& documents = job.documents;
  std::error_code none;
  fs::create_directories((job.data_folder / documents.file).parent_path(), none);
  const FileLock lock(job.data_folder / fmt::format("{}.lock", documents.file), [&](std::uint64_t waited) {
    if (job.options.progress)
      job.options.progress(fmt::format("waiting for {}, which another process prepares", documents.file),
                           waited, 0, "s");
  });
  if (const auto file = whole(job)) return *file;
  const bool can_fetch = !documents.base_url.empty() && !job.options.offline;
  // A file of the wrong size in the data folder is fetched again; the track's own folder is its author's.
  const auto replaceable = [&](const fs::path& file) {
    return can_fetch && file.parent_path() == (job.data_folder / documents.file).parent_path();
  };
  if (const auto archive = documents.archive.empty() ? std::nullopt : find(job, documents.archive))
    if (size_fits(*archive, documents.compressed_bytes) || !replaceable(*archive))
      return unpacked(job, *archive);
  if (const auto file = find(job, documents.file); file && !replaceable(*file))
    size_differs(*file, *documents.uncompressed_bytes, "uncompressed bytes");
  if (!can_fetch) throw not_there(job);
  const fs::path got = fetched(job);
  if (documents.archive.empty()) return got;
  try {
    return unpacked(job, got);
  } catch (const UserError&) {
    std::error_code gone;
    fs::remove(got, gone);  // what came is no archive: the next start must not find it again
    throw;
  }
}

void prepare_one(const Job& job) {
  if (!job.documents.generator.is_null()) {
    job.documents.path = job.data_folder / job.documents.file;
    if (!find(job, job.documents.file) || !lines_fit(job, counted(job, job.documents.path)))
      make_generated(job, job.documents.path);
  } else {
    const auto file = whole(job);
    job.documents.path = file ? *file : made(job);
  }
  check_lines(job, job.documents.path);
}

Job job_of(const Track& track, const Corpus& corpus, Documents& documents, const PrepareOptions& options) {
  Job job{documents, {}, options.data_dir / corpus.name, options};
  if (!track.directory.empty() && options.bundled_documents) job.folders.push_back(track.directory);
  job.folders.push_back(job.data_folder);
  return job;
}

void check_inside(const Track& track, const std::string& name) {
  if (!stays_inside(name) || name.empty())
    throw UserError(
        fmt::format("track [{}] names the corpus file or folder {}, which lies outside its own folder",
                    track.name, name),
        "corpora lie in the data folder or in the track's: correct source-file");
}

}  // namespace

void prepare(Track& track, const Challenge& challenge, const PrepareOptions& options) {
  const std::set<const Documents*> used = used_by(track, challenge);
  for (Corpus& corpus : track.corpora) {
    for (Documents& documents : corpus.documents) {
      if (!used.contains(&documents)) continue;
      for (const std::string& name : {corpus.name, documents.file}) check_inside(track, name);
      prepare_one(job_of(track, corpus, documents, options));
    }
  }
}

std::map<const Documents*, UserError> look_for(Track& track, const PrepareOptions& options) {
  std::map<const Documents*, UserError> missing;
  for (Corpus& corpus : track.corpora) {
    for (Documents& documents : corpus.documents) {
      const Job job = job_of(track, corpus, documents, options);
      const auto file = find(job, documents.file);
      if (file && !documents.uncompressed_bytes) documents.uncompressed_bytes = size_of(*file);
      const bool there = file || (!documents.archive.empty() && find(job, documents.archive));
      if (!there && documents.base_url.empty() && documents.generator.is_null())
        missing.emplace(&documents, not_there(job));
    }
  }
  return missing;
}

fs::path default_data_dir() {
  if (const std::string data = environment_variable("PACENOTE_DATA"); !data.empty()) return data;
  return own_data_folder("name a folder by --data-dir") / "data";
}

}  // namespace pacenote::tracks
