#include "core/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "core/text.hpp"

namespace pacenote {
namespace {

constexpr std::size_t kMostNamed = 10;

std::string folded(std::string_view word) {
  std::string out = lower_case(word);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

/// Optimal string alignment distance (Damerau 1964, without edits of edited parts).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known) {
  std::optional<std::string> best;
  std::size_t best_distance = (word.size() + 2) / 3 + 1;
  for (const std::string& name : known) {
    const std::size_t d = distance(folded(word), folded(name));
    if (d < best_distance) {
      best_distance = d;
      best = name;
    }
  }
  return best;
}

std::vector<std::string> nearest_first(std::string_view word, std::vector<std::string> known) {
  const std::string asked = folded(word);
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (std::string& name : known) ranked.emplace_back(distance(asked, folded(name)), std::move(name));
  std::ranges::stable_sort(ranked, {}, [](const auto& one) { return one.first; });
  known.clear();
  for (auto& [far, name] : ranked) known.push_back(std::move(name));
  return known;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  if (const auto near = nearest(word, known)) return fmt::format("did you mean {}?", *near);
  if (known.empty()) return "there is none";
  std::vector<std::string> shown = nearest_first(word, known);
  if (shown.size() > kMostNamed) {
    shown.resize(kMostNamed);
    shown.push_back(fmt::format("and {} more", known.size() - kMostNamed));
  }
  return fmt::format("known: {}", fmt::join(shown, ", "));
}

}  // namespace pacenote
