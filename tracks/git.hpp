// The git program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pacenote::tracks {

struct GitAnswer {
  int status = 0;   ///< the exit code
  std::string out;  ///< standard output, and standard error where it failed; trimmed
};

/// Runs git with these arguments in `folder` (empty: nowhere in particular) without a shell, a terminal,
/// hooks or helpers that a URL could name. UserError where there is no git.
GitAnswer git(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

/// UserError for what git could take for an option or a program: "-…", "ext::…" and other helpers.
void check_git_source(const std::string& source);

}  // namespace pacenote::tracks
