// What standard output and error are connected to.
#pragma once

#include <cstddef>
#include <optional>

namespace pacenote::cli {

/// Columns of the terminal behind file descriptor `fd`; none where there is no terminal.
std::optional<std::size_t> terminal_width(int fd);

/// Whether lines on `fd` may be rewritten in place: a terminal, and TERM is not dumb.
bool can_rewrite(int fd);

/// Whether colours may be used on `fd`: as can_rewrite, and NO_COLOR is empty or unset (no-color.org).
bool has_colours(int fd);

}  // namespace pacenote::cli
