#include <algorithm>

#include "core/text.hpp"
#include "reporters/numbers.hpp"
#include "reporters/table.hpp"

namespace pacenote::reporters {
namespace {

std::string line(const std::vector<std::string>& texts, const std::vector<std::size_t>& widths) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out += "  ";
    out += texts[i];
    out.append(widths[i] - width(texts[i]), ' ');
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out + '\n';
}

}  // namespace

std::string plain_text(const Table& table) {
  std::vector<std::vector<std::string>> lines{table.header, {}};
  for (const auto& row : table.rows) {
    lines.emplace_back();
    for (const Cell& cell : row) lines.back().push_back(printable(full_text(cell)));
  }
  std::vector<std::size_t> widths(table.header.size(), 0);
  for (const auto& texts : lines) {
    for (std::size_t i = 0; i < texts.size(); ++i) widths[i] = std::max(widths[i], width(texts[i]));
  }
  for (const std::size_t size : widths) lines[1].emplace_back(size, '-');
  std::string out;
  for (const auto& texts : lines) out += line(texts, widths);
  return out;
}

}  // namespace pacenote::reporters
