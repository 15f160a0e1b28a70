// How numbers are written: Python's ways, which Rally's reports show.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "core/json.hpp"
#include "reporters/table.hpp"

namespace pacenote::reporters {

/// The shortest text that reads back as the same double, as Python's repr: "2.0", "1e-05", "1e+16". Finite.
std::string shortest(double value);
/// C's and Python's %g: six significant digits.
std::string general(double value);
std::string fixed(double value, int decimals);
/// A cell's value in full: `shortest` or the cell's decimals; empty for nothing.
std::string full_text(const Cell& cell);

/// Columns that UTF-8 text takes on a terminal, as tabulate counts them where wcwidth is there.
std::size_t width(std::string_view text);

/// Whole or real, as it was measured: Rally's formats tell 5 from 5.0.
using Number = std::variant<std::int64_t, double>;
double as_double(Number number);
/// Whole if both are.
Number difference(Number from, Number to);

/// From what is stored (ms, bytes, [0, 1]) to what is shown.
enum class Scale : std::uint8_t {
  none,
  ms_to_min,
  ms_to_s,
  percent,
  byte,
  kilobyte,
  megabyte,
  gigabyte,
  terabyte
};
/// Milliseconds are cut to whole nanoseconds first (behaviour E.1).
Number scaled(Number number, Scale scale);
/// The largest unit of 1024s in which `bytes` is at least 1.
Scale byte_scale(double bytes);
std::string_view unit_of(Scale byte_scale);

Cell cell(Number number);

}  // namespace pacenote::reporters
