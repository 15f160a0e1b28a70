#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "core/text.hpp"

namespace pacenote::cli {

std::optional<std::size_t> terminal_width(int fd) {
  winsize size{};
  if (isatty(fd) == 0 || ioctl(fd, TIOCGWINSZ, &size) != 0) return std::nullopt;
  return size.ws_col == 0 ? 80 : size.ws_col;
}

bool can_rewrite(int fd) {
  const char* term = std::getenv("TERM");
  return isatty(fd) != 0 && term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
}

bool shows_utf8(int fd) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {  // the first that is set counts (POSIX, 8.2)
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    return can_rewrite(fd) &&
           (contains_ignoring_case(value, "utf-8") || contains_ignoring_case(value, "utf8"));
  }
  return false;
}

bool has_colours(int fd) {
  const char* no_color = std::getenv("NO_COLOR");
  return can_rewrite(fd) && (no_color == nullptr || *no_color == '\0');
}

void say(std::string_view label, const std::string& text) {
  std::fputs(fmt::format("[{}] {}\n", label, printable_lines(text)).c_str(), stderr);
}

}  // namespace pacenote::cli
