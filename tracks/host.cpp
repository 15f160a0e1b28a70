#include "tracks/host.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

#include "core/environment.hpp"
#include "core/error.hpp"
#include "tracks/embedded.hpp"

extern char** environ;

namespace pacenote::tracks {
namespace {

std::string script() {
  std::string out;
  for (const char* part : {"host/language.py", "host/sidecar.py"})
    for (const EmbeddedFile& file : embedded_files())
      if (file.path == part) out += file.bytes;
  assert(!out.empty() && "the side-car is not in the binary");
  return out;
}

/// What may be a Python with jinja2, in the order in which README says they are tried.
std::vector<std::string> candidates(const std::string& asked) {
  if (!asked.empty()) return {asked};
  if (const std::string python = environment_variable("PACENOTE_PYTHON"); !python.empty()) return {python};
  std::vector<std::string> out;
  std::istringstream folders(fmt::format("{}:/usr/bin", environment_variable("PATH")));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string python = fmt::format("{}/python3", folder);
    if (!folder.empty() && ::access(python.c_str(), X_OK) == 0 &&
        std::find(out.begin(), out.end(), python) == out.end())
      out.push_back(python);
  }
  return out;
}

/// The child's environment: what an interpreter needs to find its modules, and nothing that could be secret.
std::vector<std::string> environment() {
  std::vector<std::string> out = {"LC_ALL=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    for (const char* kept : {"PATH=", "HOME=", "PYENV_", "PYTHONPATH=", "VIRTUAL_ENV=", "LD_LIBRARY_PATH="})
      if (text.starts_with(kept)) out.emplace_back(text);
  }
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

/// Two connected sockets (a pipe would raise SIGPIPE when the child is gone).
std::array<int, 2> channel() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw UserError("no socket for the Python side-car could be opened",
                    "raise the limit of open files: ulimit -n");
  return ends;
}

}  // namespace

void SideCar::start() {
  if (child_ >= 0) return;
  std::vector<std::string> failures;
  for (const std::string& candidate : candidates(asked_for_)) {
    std::string why_not;
    if (started(candidate, why_not)) return;
    failures.push_back(fmt::format("{} ({})", candidate, why_not));
  }
  throw UserError(
      fmt::format("track templates need Python 3 with jinja2; tried: {}",
                  failures.empty() ? "no python3 on the path" : fmt::format("{}", fmt::join(failures, ", "))),
      "apt-get install python3-jinja2, or name an interpreter that has it by --python");
}

SideCar::~SideCar() { end(); }

bool SideCar::started(const std::string& python, std::string& why_not) {
  const std::array<int, 2> ends = channel();
  std::vector<std::string> arguments = {python, "-c", script()};
  std::vector<std::string> variables = environment();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;  // a group of its own: Ctrl-C at the terminal is for us alone
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  const int failed = ::posix_spawnp(&child_, python.c_str(), &actions, &attributes,
                                    pointers(arguments).data(), pointers(variables).data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  python_ = python;
  to_child_ = from_child_ = ends[0];
  if (failed != 0) {
    child_ = -1;
    end();
    why_not = "cannot be started";
    return false;
  }
  try {
    const Json hello = parse_json_strictly(read_line(std::chrono::seconds(60)));
    if (hello.value("ready", false)) return true;
    why_not = hello.value("error", std::string("no answer"));
  } catch (const UserError&) {
    why_not = "ended at once";
  } catch (const Json::exception&) {
    why_not = "does not answer as Python would";
  }
  end();
  return false;
}

Json SideCar::ask(const Json& request) {
  start();
  write_line(to_text(request));
  const std::string answer = read_line(patience);
  try {
    return parse_json_strictly(answer);
  } catch (const Json::exception&) {
    end();
    throw UserError(fmt::format("the Python side-car ({}) answered something that is not JSON", python_),
                    "--python names the interpreter: is it a Python 3 with jinja2?");
  }
}

void SideCar::write_line(const std::string& text) {
  const std::string line = fmt::format("{}\n", text);
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t n = ::send(to_child_, line.data() + done, line.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      end();
      throw UserError(fmt::format("the Python side-car ({}) has ended", python_),
                      "its own words stand above; --python names the interpreter");
    }
    done += static_cast<std::size_t>(n);
  }
}

std::string SideCar::read_line(std::chrono::milliseconds at_most) {
  const auto deadline = std::chrono::steady_clock::now() + at_most;
  for (std::size_t seen = 0;;) {
    if (const std::size_t end_of_line = buffer_.find('\n', seen); end_of_line != std::string::npos) {
      std::string line = buffer_.substr(0, end_of_line);
      buffer_.erase(0, end_of_line + 1);
      return line;
    }
    seen = buffer_.size();
    constexpr int kCheckEvery_ms = 100;
    pollfd waiting{from_child_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, kCheckEvery_ms);
    if (check) check();
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && std::chrono::steady_clock::now() < deadline) continue;
    if (ready == 0) {
      end();
      throw UserError(fmt::format("a template was stopped after {} s", at_most.count() / 1000),
                      "look for a loop that does not end");
    }
    std::array<char, 65536> piece{};
    const ssize_t n = ::recv(from_child_, piece.data(), piece.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      end();
      throw UserError(fmt::format("the Python side-car ({}) ended while it worked on a template", python_),
                      "a template may use at most 2 GB of memory");
    }
    buffer_.append(piece.data(), static_cast<std::size_t>(n));
  }
}

void SideCar::end() {
  if (from_child_ >= 0) ::close(from_child_);
  to_child_ = from_child_ = -1;
  buffer_.clear();
  if (child_ < 0) return;
  ::kill(child_, SIGKILL);  // it holds nothing that could be lost
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
}

}  // namespace pacenote::tracks
