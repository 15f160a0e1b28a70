#include "tracks/repository.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <sstream>

#include "core/error.hpp"
#include "core/suggest.hpp"
#include "tracks/download.hpp"
#include "tracks/file_lock.hpp"
#include "tracks/files.hpp"
#include "tracks/git.hpp"

namespace pacenote::tracks {
namespace fs = std::filesystem;
namespace {

constexpr const char* kPublicTracks = "https://github.com/elastic/rally-tracks";

std::string source_url(const std::string& source) {
  if (source == "default") return kPublicTracks;
  std::error_code none;
  return fs::is_directory(source, none) ? fs::absolute(source, none).lexically_normal().string() : source;
}

/// The clone's folder: a readable name, and a hash so that two sources never share one.
fs::path clone_folder(const RepositoryOptions& options, const std::string& url) {
  if (options.source == "default") return options.folder / "default";
  std::uint64_t hash = 1469598103934665603ULL;  // FNV-1a
  for (const unsigned char c : url) hash = (hash ^ c) * 1099511628211ULL;
  std::string name = fs::path(url).lexically_normal().filename().string();
  std::erase_if(name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_'; });
  return options.folder / fmt::format("{}-{:08x}", name.empty() ? "tracks" : name, hash & 0xffffffffU);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

GitAnswer must(const fs::path& folder, const std::vector<std::string>& arguments, const std::string& what) {
  GitAnswer answer = git(folder, arguments);
  if (answer.status != 0)
    throw UserError(
        fmt::format("{}: {}", what, first_line(answer.out)),
        "check the address, your access and the network; --offline works with what was cloned before");
  return answer;
}

void clone_or_update(const RepositoryOptions& options, const std::string& url, const fs::path& clone,
                     Notes& notes) {
  const std::string shown = without_credentials(url);
  if (!fs::exists(clone / ".git")) {
    if (options.offline)
      throw UserError(
          fmt::format("the track repository {} is not cloned yet, and --offline forbids it", shown),
          "run once without --offline");
    std::error_code error;
    fs::create_directories(clone.parent_path(), error);
    notes.info(fmt::format("Cloning {} ...", shown));
    const fs::path draft = fmt::format("{}.tmp", clone.string());
    fs::remove_all(draft, error);
    must({}, {"clone", "--quiet", "--", url, draft.string()}, fmt::format("{} cannot be cloned", shown));
    fs::rename(draft, clone);
    return;
  }
  if (options.offline) return;
  const GitAnswer fetch = git(clone, {"fetch", "--quiet", "--prune", "--tags", "--force", "origin"});
  if (fetch.status != 0)
    notes.warning(fmt::format("the track repository could not be updated, the clone of before is used: {}",
                              first_line(fetch.out)));
}

std::vector<std::string> lines_of_git(const fs::path& clone, const std::vector<std::string>& arguments) {
  std::istringstream out(git(clone, arguments).out);
  std::vector<std::string> lines;
  for (std::string line; std::getline(out, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> branches_of(const fs::path& clone) {
  std::vector<std::string> out;
  const std::string prefix = "origin/";
  for (const std::string& name :
       lines_of_git(clone, {"for-each-ref", "--format=%(refname:short)", "refs/remotes/origin"}))
    if (name.starts_with(prefix) && name != "origin/HEAD") out.push_back(name.substr(prefix.size()));
  return out;
}

/// The commit that a name stands for; empty where it stands for none.
std::string commit_of(const fs::path& clone, const std::string& name) {
  const GitAnswer answer = git(
      clone, {"rev-parse", "--verify", "--quiet", "--end-of-options", fmt::format("{}^{{commit}}", name)});
  return answer.status == 0 ? answer.out : std::string();
}

std::string asked_commit(const RepositoryOptions& options, const fs::path& clone, Notes& notes) {
  const std::vector<std::string> branches = branches_of(clone);
  if (!options.revision.empty()) {
    if (options.revision.starts_with('-'))
      throw UserError(fmt::format("--track-revision cannot be [{}]", options.revision),
                      "give a commit, branch or tag");
    for (const std::string& name :
         {fmt::format("refs/remotes/origin/{}", options.revision), options.revision})
      if (const std::string commit = commit_of(clone, name); !commit.empty()) return commit;
    throw UserError(fmt::format("the track repository has no revision [{}]", options.revision),
                    suggestion(options.revision, branches));
  }
  const std::string branch = branch_for(branches, options.server_version);
  if (!branch.empty()) {
    notes.info(fmt::format("Tracks of branch [{}].", branch));
    return commit_of(clone, fmt::format("refs/remotes/origin/{}", branch));
  }
  std::vector<std::string> tags;
  for (const std::string& tag : lines_of_git(clone, {"tag", "--list", "v*"})) tags.push_back(tag.substr(1));
  if (const std::string tag = branch_for(tags, options.server_version); !tag.empty())
    return commit_of(clone, fmt::format("refs/tags/v{}", tag));
  throw UserError(
      fmt::format("no branch of the track repository is meant for version [{}]", options.server_version),
      "name one by --track-revision");
}

struct Version {
  int major = 0;
  std::optional<int> minor;
  bool patch = false;
};

std::optional<int> number_in(const std::string& text) {
  if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoi(text);
}

/// "8", "8.15" or "8.15.2", with or without a suffix.
std::optional<Version> version_of(const std::string& text) {
  std::istringstream in(text.substr(0, text.find('-')));
  std::vector<int> parts;
  for (std::string part; std::getline(in, part, '.');) {
    const auto number = number_in(part);
    if (!number) return std::nullopt;
    parts.push_back(*number);
  }
  if (parts.empty() || parts.size() > 3) return std::nullopt;
  Version out;
  out.major = parts[0];
  if (parts.size() > 1) out.minor = parts[1];
  out.patch = parts.size() > 2;
  return out;
}

}  // namespace

std::string branch_for(const std::vector<std::string>& branches, const std::string& version) {
  const auto has = [&](const std::string& name) {
    return std::find(branches.begin(), branches.end(), name) != branches.end();
  };
  const std::string newest = has("master") || !has("main") ? "master" : "main";
  const auto wanted = version_of(version);
  if (!wanted) return has(newest) ? newest : "";
  const std::string plain = version.substr(0, version.find('-'));
  const std::string minor = fmt::format("{}.{}", wanted->major, wanted->minor.value_or(0));
  for (const std::string& exact : {version, plain, minor})
    if (has(exact)) return exact;
  std::optional<int> nearest_minor;
  int newest_major = -1;
  for (const std::string& branch : branches) {
    const auto known = version_of(branch);
    if (!known) continue;
    newest_major = std::max(newest_major, known->major);
    if (known->major == wanted->major && known->minor && !known->patch &&
        *known->minor <= wanted->minor.value_or(0))
      nearest_minor = std::max(nearest_minor.value_or(0), *known->minor);
  }
  if (nearest_minor) return fmt::format("{}.{}", wanted->major, *nearest_minor);
  if (const std::string major = std::to_string(wanted->major); has(major)) return major;
  return wanted->major > newest_major && has(newest) ? newest : "";
}

std::vector<fs::path> track_folders(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code none;
  const auto is_track = [&](const fs::path& path) {
    return fs::exists(path / "track.json", none) || fs::exists(path / "workload.json", none);
  };
  if (is_track(folder)) out.emplace_back(".");
  for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, none), end;
       it != end; it.increment(none)) {
    if (!it->is_directory(none)) continue;
    if (it->path().filename().string().starts_with('.')) it.disable_recursion_pending();
    if (is_track(it->path())) out.push_back(it->path().lexically_relative(folder));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string revision_of(const fs::path& folder) {
  const GitAnswer answer = git(folder, {"rev-parse", "--short", "HEAD"});
  return answer.status == 0 ? answer.out : "";
}

fs::path track_of_repository(const RepositoryOptions& options, const std::string& track, Notes& notes) {
  check_git_source(options.source);
  const std::string url = source_url(options.source);
  const fs::path clone = clone_folder(options, url);
  std::error_code error;
  fs::create_directories(options.folder, error);
  const FileLock lock(fmt::format("{}.lock", clone.string()), [](std::uint64_t) {});
  clone_or_update(options, url, clone, notes);
  must(clone, {"checkout", "--quiet", "--detach", asked_commit(options, clone, notes)},
       fmt::format("the clone {} cannot be checked out", clone.string()));
  const std::vector<fs::path> folders = track_folders(clone);
  if (std::find(folders.begin(), folders.end(), fs::path(track)) != folders.end()) return clone / track;
  std::vector<std::string> names;
  for (const fs::path& folder : folders) names.push_back(folder.string());
  throw UserError(fmt::format("the track repository {} has no track [{}]", without_credentials(url), track),
                  suggestion(track, names));
}

}  // namespace pacenote::tracks
