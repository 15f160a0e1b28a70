// Rally's report format: what its `tabulate` makes of `pipe` tables, to the byte (behaviour E.1).
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/text.hpp"
#include "reporters/numbers.hpp"
#include "reporters/table.hpp"

namespace pacenote::reporters {
namespace {

/// What a column holds decides how its numbers are written: %g beside reals, in full beside text.
enum class Column : std::uint8_t { text, whole, real };

Column column_of(const Table& table, std::size_t index) {
  Column found = Column::text;
  for (const auto& row : table.rows) {
    const Cell::Value& value = row[index].value;
    if (std::holds_alternative<std::string>(value) || std::holds_alternative<Structure>(value))
      return Column::text;
    if (const auto* real = std::get_if<Real>(&value)) {
      if (!real->suffix.empty()) return Column::text;
      found = Column::real;
    }
    if (std::holds_alternative<std::int64_t>(value) && found == Column::text) found = Column::whole;
  }
  return found;
}

/// Trimmed, on one line, with bars escaped and no other control characters: a task's name must neither add a
/// column nor move a terminal's cursor.
std::string one_cell(const std::string& text) {
  std::string out;
  for (const char c : trimmed(text)) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return printable(out);
}

std::string cell_text(const Cell& cell, Column column) {
  if (column == Column::real) {
    if (const auto* real = std::get_if<Real>(&cell.value)) {
      // tabulate reads the text back, so digits beyond the cell's decimals are gone
      return general(real->decimals < 0 ? real->value : std::stod(fixed(real->value, real->decimals)));
    }
    if (const auto* whole = std::get_if<std::int64_t>(&cell.value))
      return general(static_cast<double>(*whole));
  }
  return one_cell(full_text(cell));
}

/// Characters after the point (or after the e); -1 for whole numbers and what is no number.
int after_point(const Cell& cell, const std::string& text) {
  if (!std::holds_alternative<Real>(cell.value) && !std::holds_alternative<std::int64_t>(cell.value))
    return -1;
  auto at = text.rfind('.');
  if (at == std::string::npos) at = text.rfind('e');
  return at == std::string::npos ? -1 : static_cast<int>(text.size() - at) - 1;
}

std::string spaces(std::size_t count) { return std::string(count, ' '); }

std::string padded(const std::string& text, std::size_t text_width, std::size_t to, Align align) {
  const std::size_t room = to > text_width ? to - text_width : 0;
  if (align == Align::left) return fmt::format("{}{}", text, spaces(room));
  if (align == Align::center) return fmt::format("{}{}{}", spaces(room / 2), text, spaces(room - room / 2));
  return fmt::format("{}{}", spaces(room), text);
}

std::string_view colour(Tone tone) {
  switch (tone) {
    case Tone::neutral:
      return "\x1b[39;1m";
    case Tone::better:
      return "\x1b[32;1m";
    case Tone::worse:
      return "\x1b[31;1m";
    case Tone::none:
      break;
  }
  return {};
}

struct WrittenColumn {
  std::vector<std::string> lines;  ///< header first, all of one width
  std::string rule;
};

std::string rule(std::size_t width, std::optional<Align> align) {
  if (!align) return std::string(width + 2, '-');
  if (*align == Align::left) return fmt::format(":{}", std::string(width + 1, '-'));
  if (*align == Align::center) return fmt::format(":{}:", std::string(width, '-'));
  return fmt::format("{}:", std::string(width + 1, '-'));
}

WrittenColumn write_column(const Table& table, std::size_t index, const FormatOptions& options) {
  const Column column = column_of(table, index);
  const Align align = column == Column::text ? Align::right : options.numbers;
  std::vector<std::string> texts;
  int most = -1;
  for (const auto& row : table.rows) {
    texts.push_back(cell_text(row[index], column));
    most = std::max(most, after_point(row[index], texts.back()));
  }
  const std::string header = one_cell(table.header[index]);
  std::size_t widest = width(header) + 2;  // tabulate's minimum padding
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::size_t own = width(texts[i]);
    const Cell& cell = table.rows[i][index];
    const auto point = align == Align::decimal ? static_cast<std::size_t>(most - after_point(cell, texts[i]))
                                               : std::size_t{0};
    if (const std::string_view ansi = options.colours ? colour(cell.tone) : ""; !ansi.empty()) {
      texts[i] = fmt::format("{}{}\x1b[0m", ansi, texts[i]);
    }
    texts[i] += spaces(point);
    widths.push_back(own + point);
    widest = std::max(widest, widths.back());
  }
  WrittenColumn out;
  out.rule = rule(widest, table.rows.empty() ? std::nullopt : std::optional(align));
  out.lines.push_back(padded(header, width(header), widest, align));
  for (std::size_t i = 0; i < texts.size(); ++i)
    out.lines.push_back(padded(texts[i], widths[i], widest, align));
  return out;
}

std::string warnings(const Table& table) {
  std::string out;
  for (const std::string& note : table.notes) out += fmt::format("[WARNING] {}\n", printable(note));
  return out;
}

std::string markdown(const Table& table, const FormatOptions& options) {
  if (!table.title.empty()) {  // one of those that follow
    Table untitled = table;
    untitled.title.clear();
    return fmt::format("\n{}\n\n{}", printable(table.title), markdown(untitled, options));
  }
  std::vector<WrittenColumn> columns;
  for (std::size_t i = 0; i < table.header.size(); ++i) columns.push_back(write_column(table, i, options));
  std::string out;
  for (const std::string& line : table.head) out += fmt::format("{}\n", printable(line));
  if (table.notes_first) out += warnings(table);
  if (!out.empty()) out += "\n";
  for (std::size_t line = 0; line <= table.rows.size(); ++line) {
    out += "|";
    for (const WrittenColumn& column : columns) out += fmt::format(" {} |", column.lines[line]);
    out += "\n";
    if (line > 0) continue;
    out += "|";
    for (const WrittenColumn& column : columns) out += fmt::format("{}|", column.rule);
    out += "\n";
  }
  if (!table.notes.empty() && !table.notes_first) out += fmt::format("\n{}", warnings(table));
  for (const Table& next : table.more) out += markdown(next, options);
  return out;
}

const Registered<Format> markdown_format{"markdown",
                                         {"Rally's table; warnings stand under it", true, markdown}};

}  // namespace
}  // namespace pacenote::reporters
