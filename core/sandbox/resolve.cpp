// Which indices a name means.
#include <set>

#include "core/sandbox/handler.hpp"

namespace pacenote::sandbox {
namespace {

/// Every index that `pattern` means by its own name, an alias, or its data stream's name.
std::set<std::string> meant_by(const State& state, std::string_view pattern) {
  std::set<std::string> out;
  for (const auto& [name, index] : state.indices) {
    bool meant = wildcard_match(pattern, name) ||
                 (!index.data_stream.empty() && wildcard_match(pattern, index.data_stream));
    for (const auto& [alias, ignored] : index.aliases.items())
      meant = meant || wildcard_match(pattern, alias);
    if (meant) out.insert(name);
  }
  return out;
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

bool wildcard_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool is_wildcard(std::string_view expression) {
  return expression == "_all" || expression.find('*') != std::string_view::npos;
}

Resolved resolve(const State& state, std::string_view expression) {
  Resolved out;
  std::set<std::string> names;
  for (const std::string& part : split(expression.empty() ? "_all" : expression)) {
    if (part.front() == '-' && !names.empty()) {
      for (const std::string& name : meant_by(state, part.substr(1))) names.erase(name);
      continue;
    }
    const std::set<std::string> found = meant_by(state, part == "_all" ? "*" : part);
    if (found.empty() && !is_wildcard(part) && out.missing.empty()) out.missing = part;
    names.insert(found.begin(), found.end());
  }
  out.names.assign(names.begin(), names.end());
  return out;
}

bool resolve(const State& state, const Call& call, std::vector<std::string>& names, Answer& answer) {
  const Resolved found = resolve(state, call.at("index"));
  if (!found.missing.empty() && !call.asked.flag("ignore_unavailable")) {
    answer = index_not_found(found.missing);
    return false;
  }
  if (found.names.empty() && !call.asked.flag("allow_no_indices", true)) {
    answer = index_not_found(call.at("index"));
    return false;
  }
  names = found.names;
  return true;
}

}  // namespace pacenote::sandbox
