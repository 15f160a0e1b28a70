#include "reporters/numbers.hpp"

#include <fmt/format.h>
#include <wchar.h>  // wcwidth

#include <algorithm>
#include <cassert>
#include <clocale>
#include <cmath>
#include <cwchar>

namespace pacenote::reporters {

std::string shortest(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string general(double value) { return fmt::format("{:g}", value); }

std::string fixed(double value, int decimals) { return fmt::format("{:.{}f}", value, decimals); }

namespace {

struct FullText {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const Structure& structure) const { return to_text(structure.value); }
  std::string operator()(const Mark& mark) const { return mark.text; }
  std::string operator()(std::int64_t whole) const { return std::to_string(whole); }
  std::string operator()(const Real& real) const {
    const std::string text = real.decimals < 0 ? shortest(real.value) : fixed(real.value, real.decimals);
    return fmt::format("{}{}{}", real.plus && text.front() != '-' ? "+" : "", text, real.suffix);
  }
};

double divisor(Scale scale) {
  switch (scale) {
    case Scale::byte:
      return 1;
    case Scale::kilobyte:
      return 1024;
    case Scale::megabyte:
      return 1024.0 * 1024;
    case Scale::gigabyte:
      return 1024.0 * 1024 * 1024;
    case Scale::terabyte:
      return 1024.0 * 1024 * 1024 * 1024;
    case Scale::ms_to_s:
      return 1e9;
    case Scale::ms_to_min:
      return 6e10;
    case Scale::none:
    case Scale::percent:
      break;
  }
  assert(false);
  return 1;
}

}  // namespace

std::string full_text(const Cell& cell) { return std::visit(FullText(), cell.value); }

std::size_t width(std::string_view text) {
  // Of the C library, whose table of wide characters follows Unicode; the user's own locale may be plain C.
  static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  const locale_t before = utf8 == nullptr ? nullptr : ::uselocale(utf8);
  std::size_t count = 0;
  std::mbstate_t state{};
  while (!text.empty()) {
    wchar_t character = 0;
    const std::size_t bytes =
        utf8 == nullptr ? std::size_t{0} : std::mbrtowc(&character, text.data(), text.size(), &state);
    const bool known = bytes > 0 && bytes <= text.size();
    count += known ? static_cast<std::size_t>(std::max(0, ::wcwidth(character))) : 1;
    if (!known) state = {};
    text.remove_prefix(known ? bytes : 1);
  }
  if (before != nullptr) ::uselocale(before);
  return count;
}

double as_double(Number number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

Number difference(Number from, Number to) {
  const auto* a = std::get_if<std::int64_t>(&from);
  const auto* b = std::get_if<std::int64_t>(&to);
  if (a != nullptr && b != nullptr) return *b - *a;
  return as_double(to) - as_double(from);
}

Number scaled(Number number, Scale scale) {
  switch (scale) {
    case Scale::none:
      return number;
    case Scale::percent:
      return as_double(number) * 100.0;
    case Scale::ms_to_min:
    case Scale::ms_to_s:
      return std::trunc(as_double(number) * 1e6) / divisor(scale);
    default:
      return as_double(number) / divisor(scale);
  }
}

Scale byte_scale(double bytes) {
  for (const Scale scale : {Scale::terabyte, Scale::gigabyte, Scale::megabyte, Scale::kilobyte}) {
    if (bytes >= divisor(scale)) return scale;
  }
  return Scale::byte;
}

std::string_view unit_of(Scale byte_scale) {
  switch (byte_scale) {
    case Scale::kilobyte:
      return "KB";
    case Scale::megabyte:
      return "MB";
    case Scale::gigabyte:
      return "GB";
    case Scale::terabyte:
      return "TB";
    default:
      return "B";
  }
}

Cell cell(Number number) {
  if (const auto* whole = std::get_if<std::int64_t>(&number)) return Cell(*whole);
  return reporters::number(std::get<double>(number));
}

Cell number(double value, int decimals) {
  if (!std::isfinite(value)) return Cell();
  return Cell(Real{value, decimals, false, {}});
}

Align align_from(const std::string& text) {
  if (text == "decimal") return Align::decimal;
  if (text == "right") return Align::right;
  if (text == "center") return Align::center;
  if (text == "left") return Align::left;
  throw UserError(fmt::format("unknown alignment [{}]", text), "known: right, center, left, decimal");
}

}  // namespace pacenote::reporters
