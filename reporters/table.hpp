// What a report is before it is text: typed cells, and the formats that write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/json.hpp"
#include "core/registry.hpp"

namespace pacenote::reporters {

/// Stands where a number is missing ("n/a", "—"): does not make its column one of text. Null in JSON.
struct Mark {
  std::string text;
};

/// What is no single value: text, but as it is in JSON.
struct Structure {
  Json value;
};

/// Finite. `decimals` < 0: all digits that the double has; otherwise rounded to that many.
struct Real {
  double value = 0;
  int decimals = -1;
  bool plus = false;        ///< a + before what is not negative
  std::string_view suffix;  ///< a literal, "%": then the number stands in a column of text
};

/// Whether a cell tells of a change for the better; coloured on a terminal, named in JSON.
enum class Tone : std::uint8_t { none, neutral, better, worse };

struct Cell {
  using Value = std::variant<std::monostate, std::string, Mark, std::int64_t, Real, Structure>;
  Value value;
  Tone tone = Tone::none;

  Cell() = default;
  explicit Cell(std::string_view text) : value(std::string(text)) {}
  explicit Cell(Mark mark) : value(std::move(mark)) {}
  explicit Cell(Structure structure) : value(std::move(structure)) {}
  explicit Cell(std::int64_t whole) : value(whole) {}
  explicit Cell(Real real, Tone t = Tone::none) : value(real), tone(t) {}
  bool empty() const { return std::holds_alternative<std::monostate>(value); }
};

/// A cell without value if `value` is not finite: no report shows NaN.
Cell number(double value, int decimals = -1);

struct Table {
  std::string title;              ///< of tables in `more`
  std::vector<std::string> head;  ///< one line each; what must be known before the figures
  std::vector<std::string> header;
  std::vector<std::vector<Cell>> rows;  ///< each as long as header
  std::vector<std::string> notes;       ///< warnings, one line each; they stand under the table
  bool notes_first = false;             ///< they stand above it, under `head`
  std::vector<Table> more;              ///< what stands under the notes; formats of one table leave it out
};

enum class Align : std::uint8_t { decimal, right, center, left };
/// --report-numbers-align. UserError for another word.
Align align_from(const std::string& text);

struct FormatOptions {
  Align numbers = Align::decimal;
  bool colours = false;  ///< ANSI codes, for terminals only
  bool raw = false;      ///< texts as they are, even where a spreadsheet would run them
  bool exact = false;    ///< csv: numbers with all digits and nothing else, for programs; else as Rally's
};

/// A report format. One file each registers itself.
struct Format {
  std::string_view help;    ///< one line
  bool with_notes = false;  ///< the text holds the notes; otherwise they are for standard error
  std::string (*write)(const Table& table, const FormatOptions& options) = nullptr;
};

/// Columns of left-aligned text under a ruled header, for listings on a terminal. Notes are left out.
std::string plain_text(const Table& table);

}  // namespace pacenote::reporters
