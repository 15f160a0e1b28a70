// Comma-separated values as Python's csv module writes them: \r\n, quotes only where needed (behaviour E.1).
#include "reporters/csv.hpp"

#include <fmt/format.h>

#include "reporters/numbers.hpp"
#include "reporters/table.hpp"

namespace pacenote::reporters {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string harmless(const std::string& text) {
  const bool runs =
      !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  return runs ? "'" + text : text;
}

namespace {

std::string csv_cell(const Cell& cell, const FormatOptions& options) {
  const auto* real = std::get_if<Real>(&cell.value);
  if (real != nullptr && options.exact) return shortest(real->value);
  const auto* text = std::get_if<std::string>(&cell.value);
  return csv_field(text != nullptr && !options.raw ? harmless(*text) : full_text(cell));
}

std::string csv(const Table& table, const FormatOptions& options) {
  std::string out;
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    out += fmt::format("{}{}", i > 0 ? "," : "", csv_field(table.header[i]));
  }
  out += "\r\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += fmt::format("{}{}", i > 0 ? "," : "", csv_cell(row[i], options));
    }
    out += "\r\n";
  }
  return out;
}

const Registered<Format> csv_format{"csv", {"comma-separated values; warnings go to stderr", false, csv}};

}  // namespace
}  // namespace pacenote::reporters
