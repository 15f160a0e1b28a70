// What standard output and error are connected to.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pacenote::cli {

/// Columns of the terminal behind file descriptor `fd`; none where there is no terminal.
std::optional<std::size_t> terminal_width(int fd);

/// Whether lines on `fd` may be rewritten in place: a terminal, and TERM is not dumb.
bool can_rewrite(int fd);

/// Whether `fd` shows characters beyond ASCII: as can_rewrite, and the locale's encoding is UTF-8.
bool shows_utf8(int fd);

/// Whether colours may be used on `fd`: as can_rewrite, and NO_COLOR is empty or unset (no-color.org).
bool has_colours(int fd);

/// "[LABEL] text" on standard error, several lines if the text has them; control characters of others are
/// left out.
void say(std::string_view label, const std::string& text);

}  // namespace pacenote::cli
