#include "tracks/json_text.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/error.hpp"

namespace pacenote::tracks {
namespace {

constexpr std::size_t widest = 160;  // of a line of context

struct Place {
  std::size_t line = 1, column = 1;  // 1-based
};

Place place_of(const std::string& text, std::size_t byte) {
  Place place;
  const std::size_t at = std::min(byte == 0 ? 0 : byte - 1, text.size());
  place.line += static_cast<std::size_t>(
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  const std::size_t line_start = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  place.column = line_start == std::string::npos ? at + 1 : at - line_start;
  return place;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

/// The line of the mistake with the one before and the one after it, and a caret.
std::string context(const std::string& text, Place place) {
  const std::vector<std::string> lines = lines_of(text);
  const std::size_t first_column = place.column > widest ? place.column - widest / 2 : 1;
  std::string out;
  for (std::size_t n = place.line == 1 ? 1 : place.line - 1; n <= std::min(place.line + 1, lines.size());
       ++n) {
    const std::string& line = lines[n - 1];
    const std::string shown =
        line.size() < first_column ? std::string() : line.substr(first_column - 1, widest);
    out += fmt::format("\n{:>6} | {}", n, shown);
    if (n == place.line) out += fmt::format("\n       | {}^", std::string(place.column - first_column, ' '));
  }
  return out;
}

/// nlohmann's own words without its code and position.
std::string reason(const Json::parse_error& error) {
  const std::string text = error.what();
  const std::size_t at = text.find(" - ");
  std::string out = at == std::string::npos ? text : text.substr(at + 3);
  if (const std::size_t last = out.find("; last read"); last != std::string::npos) out.resize(last);
  return out;
}

std::string written(const std::string& text) {
  std::error_code none;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(none);
  std::string name = (folder / "pacenote-rendered-XXXXXX.json").string();
  const int file = ::mkstemps(name.data(), 5);
  if (file < 0) return {};
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  ::close(file);
  return name;
}

}  // namespace

Json parse_json(const std::string& text, const std::string& shown, const std::string& hint) {
  if (nested_too_deep(text))
    throw UserError(fmt::format("{}: brackets are nested deeper than {}", shown, kDeepestJson), hint);
  try {
    return parse_json_strictly(text);
  } catch (const Json::parse_error& error) {
    const Place place = place_of(text, error.byte);
    throw UserError(fmt::format("{}:{}:{} is not JSON: {}{}", shown, place.line, place.column, reason(error),
                                context(text, place)),
                    hint);
  }
}

Json parse_rendered(const std::string& text, const std::string& shown, const std::string& hint) {
  if (Json::accept(text)) return parse_json(text, shown, hint);
  const std::string name = written(text);
  const std::string kept = name.empty() ? std::string() : fmt::format("the rendered text is in {}", name);
  const std::string both = hint.empty() || kept.empty() ? kept + hint : fmt::format("{}; {}", kept, hint);
  return parse_json(text, fmt::format("{} (rendered)", shown), both);
}

}  // namespace pacenote::tracks
