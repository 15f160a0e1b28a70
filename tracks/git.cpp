#include "tracks/git.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string_view>

#include "core/error.hpp"
#include "core/text.hpp"

extern char** environ;

namespace pacenote::tracks {
namespace {

/// Ours without what would point git elsewhere, and with no place to ask for passwords.
std::vector<std::string> git_environment() {
  std::vector<std::string> out = {"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "LC_ALL=C.UTF-8"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!text.starts_with("GIT_") && !text.starts_with("LC_ALL=")) out.emplace_back(text);
  }
  return out;
}

std::vector<char*> to_pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

std::string all_of(int descriptor) {
  std::string out;
  std::array<char, 4096> piece{};
  for (ssize_t n = 0; (n = ::read(descriptor, piece.data(), piece.size())) != 0;) {
    if (n > 0) out.append(piece.data(), static_cast<std::size_t>(n));
    if (n < 0 && errno != EINTR) break;
  }
  return out;
}

}  // namespace

GitAnswer git(const std::filesystem::path& folder, const std::vector<std::string>& arguments) {
  std::vector<std::string> line = {"git",
                                   "-c",
                                   "protocol.ext.allow=never",
                                   "-c",
                                   "core.hooksPath=/dev/null",
                                   "-c",
                                   "advice.detachedHead=false"};
  if (!folder.empty()) line.insert(line.end(), {"-C", folder.string()});
  line.insert(line.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = git_environment();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw UserError("no pipe for git could be opened", "raise the limit of open files: ulimit -n");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, "git", &actions, nullptr, to_pointers(line).data(),
                                    to_pointers(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  GitAnswer answer;
  if (failed == 0) answer.out = trimmed(all_of(ends[0]));
  ::close(ends[0]);
  if (failed != 0) throw UserError("a track repository needs the git program", "apt-get install git");
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  if (answer.status == 127 && answer.out.empty())
    throw UserError("a track repository needs the git program", "apt-get install git");
  return answer;
}

void check_git_source(const std::string& source) {
  if (source.starts_with('-') || source.find("::") != std::string::npos)
    throw UserError(
        fmt::format("--track-repository cannot be [{}]: git would take it for an option or a program",
                    source),
        "give an https://, ssh:// or git@HOST:PATH URL, or a path");
}

}  // namespace pacenote::tracks
