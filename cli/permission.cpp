#include "cli/permission.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cstdio>

#include "core/error.hpp"

namespace pacenote::cli {
namespace {

std::string list_of(const std::vector<Loss>& losses) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < losses.size() && i < kShown; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", losses[i].what);
  if (losses.size() > kShown) text += fmt::format(" and {} more", losses.size() - kShown);
  return text;
}

/// The answer's line; `check_interrupted` throws when a signal came.
std::string read_line(const std::function<void()>& check_interrupted) {
  std::string line;
  for (char c = 0; c != '\n';) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&input, 1, 100);
    check_interrupted();
    if (ready <= 0) continue;
    if (::read(STDIN_FILENO, &c, 1) <= 0) break;
    if (c != '\n') line += c;
  }
  return line;
}

bool asked_and_granted(const std::vector<Loss>& losses, Console& console,
                       const std::function<void()>& check_interrupted) {
  console.warning(
      fmt::format("this race would destroy {}, which no race of this store made", list_of(losses)));
  console.flush();
  std::fputs("Type yes to go on: ", stderr);
  return read_line(check_interrupted) == "yes";
}

}  // namespace

void ask_permission(Session& session, const Track& track, const Challenge& challenge, store::Store& store,
                    const std::string& cluster_uuid, bool allowed, Console& console,
                    const std::function<void()>& check_interrupted) {
  const std::vector<Destroys> targets = destroyed_by(challenge, track);
  if (targets.empty() || allowed) return;
  const std::function<bool(const std::string&)> ours = [&](const std::string& index_uuid) {
    return store.created_here(cluster_uuid, index_uuid);
  };
  const std::vector<Loss> losses = session.run(pacenote::losses(session.transport(), targets, ours));
  if (losses.empty()) return;
  const bool terminal = ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
  if (terminal && asked_and_granted(losses, console, check_interrupted)) return;
  throw UserError(
      fmt::format("this race would destroy {}, which no race of this store made", list_of(losses)),
      "If that may be lost: --allow-destructive, or PACENOTE_ALLOW_DESTRUCTIVE=1. Nothing was changed.");
}

}  // namespace pacenote::cli
