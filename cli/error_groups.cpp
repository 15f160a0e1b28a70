#include "cli/error_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/progress.hpp"
#include "core/text.hpp"

namespace pacenote::cli {
namespace {

constexpr std::size_t kKinds = 20, kLongest = 240;

/// Servers write the text: no control characters of theirs reach the terminal.
std::string one_line(std::string_view text) {
  std::string out(text.substr(0, kLongest + 4));
  for (char& c : out)
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
  return clipped(out, kLongest);
}

std::string described(const Outcome& outcome) {
  std::string out = outcome.error_type.empty() ? "error" : outcome.error_type;
  if (outcome.status != 0) out += fmt::format(" {}", outcome.status);
  return outcome.error.empty() ? out : fmt::format("{}: {}", out, one_line(outcome.error));
}

std::string without_numbers(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit)
      out += c;
    else if (out.empty() || out.back() != '#')
      out += '#';
  }
  return out;
}

}  // namespace

std::optional<std::string> ErrorGroups::add(std::string_view task, const Outcome& outcome) {
  const std::string text = described(outcome);
  // The status counts, other numbers do not: 429 and 503 are two kinds.
  std::string key = fmt::format("{}\n{}\n{}", task, outcome.status, without_numbers(text));
  auto found = groups_.find(key);
  if (found == groups_.end() && groups_.size() >= kKinds) found = groups_.try_emplace("other").first;
  if (found == groups_.end()) found = groups_.try_emplace(std::move(key)).first;
  Group& group = found->second;
  group.documents += outcome.items_failed;
  if (++group.count > 1) return std::nullopt;
  group.task = found->first == "other" ? "all tasks" : std::string(task);
  group.text = found->first == "other" ? "more kinds of errors" : text;
  return fmt::format("{}: {}", group.task, group.text);
}

std::vector<std::string> ErrorGroups::take_counts() {
  std::vector<std::string> out;
  for (const auto& [key, group] : groups_) {
    if (group.count == 1) continue;
    const std::string documents =
        group.documents == 0 ? "" : fmt::format(" ({} documents)", grouped(group.documents));
    out.push_back(fmt::format("{}: {} times{} {}", group.task, grouped(group.count), documents, group.text));
  }
  groups_.clear();
  return out;
}

}  // namespace pacenote::cli
