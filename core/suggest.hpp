// "Did you mean": the nearest of the known names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pacenote {

/// The known name with the smallest edit distance (transpositions count one) if that is at most a third of
/// the word's length, rounded up; none otherwise. Case, and `-` against `_`, do not count.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known);

/// All known names, those that resemble the word most first.
std::vector<std::string> nearest_first(std::string_view word, std::vector<std::string> known);

/// "did you mean X?" or, where nothing is near, "known: a, b, c", the nearest first,
/// at most ten.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace pacenote
