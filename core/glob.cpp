#include "core/glob.hpp"

namespace pacenote {

bool matches_glob(std::string_view pattern, std::string_view name) {
  // The last star is the only one that need ever be reconsidered.
  std::size_t p = 0, n = 0, after_star = std::string_view::npos, taken_to = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      taken_to = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (after_star != std::string_view::npos) {
      p = after_star;
      n = ++taken_to;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace pacenote
