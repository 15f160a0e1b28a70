#include "reporters/terminal_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.hpp"
#include "reporters/numbers.hpp"

namespace pacenote::reporters {
namespace {

constexpr std::size_t kRows = 3, kFewestColumns = 20, kMostColumns = 60;
constexpr std::size_t kBesides = 30;  // the margin, and the words on the right

std::string brief_number(double value) { return general(std::stod(fmt::format("{:.3g}", value))); }

std::string spark_line(const std::vector<SeriesPoint>& points, double most) {
  constexpr std::array<std::string_view, 9> kBars = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string out;
  for (const SeriesPoint& point : points) {
    const double share = most > 0 ? point.per_second / most : 0;
    out += kBars.at(static_cast<std::size_t>(std::clamp(std::ceil(share * 8), 0.0, 8.0)));
  }
  return out;
}

/// Dots, two columns and four rows of them in a character (Unicode 15, block U+2800).
class Canvas {
 public:
  Canvas(std::size_t columns, std::size_t rows) : columns_(columns), rows_(rows), cells_(columns * rows) {}
  /// `level`: from the bottom.
  void dot(std::size_t column, std::size_t level) {
    constexpr std::array<std::array<unsigned, 4>, 2> kBits = {
        {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};
    const std::size_t down = rows_ * 4 - 1 - level;
    cells_[down / 4 * columns_ + column / 2] |= kBits.at(column % 2).at(down % 4);
  }
  std::string line(std::size_t row) const {
    std::string out;
    for (std::size_t i = 0; i < columns_; ++i) {
      const unsigned dots = cells_[row * columns_ + i];
      out += {static_cast<char>(0xE2), static_cast<char>(0xA0 | (dots >> 6)),
              static_cast<char>(0x80 | (dots & 0x3F))};
    }
    return out;
  }

 private:
  std::size_t columns_, rows_;
  std::vector<unsigned> cells_;
};

double latency_at(const std::vector<CurvePoint>& curve, double nines) {
  const auto after = std::ranges::lower_bound(curve, nines, {}, &CurvePoint::nines);
  if (after == curve.begin()) return curve.front().latency_ms;
  if (after == curve.end()) return curve.back().latency_ms;
  const CurvePoint& before = *(after - 1);
  const double share = (nines - before.nines) / (after->nines - before.nines);
  return before.latency_ms + share * (after->latency_ms - before.latency_ms);
}

Canvas curve_canvas(const std::vector<CurvePoint>& curve, std::size_t columns) {
  const auto logarithm = [](double ms) { return std::log(std::max(ms, 1e-6)); };
  const double low = logarithm(curve.front().latency_ms);
  const double range = std::max(logarithm(curve.back().latency_ms) - low, 0.02);
  Canvas canvas(columns, kRows);
  std::size_t before = 0;
  for (std::size_t x = 0; x < columns * 2; ++x) {
    const double nines = curve.back().nines * static_cast<double>(x) / static_cast<double>(columns * 2 - 1);
    const double height = (logarithm(latency_at(curve, nines)) - low) / range;
    const auto level = static_cast<std::size_t>(
        std::lround(std::clamp(height, 0.0, 1.0) * static_cast<double>(kRows * 4 - 1)));
    for (std::size_t y = std::min(before, level); y <= level; ++y) canvas.dot(x, y);
    before = level;
  }
  return canvas;
}

/// "0   50   90   99 %" under the columns where these percentiles are.
std::string percentile_axis(double last, std::size_t columns) {
  std::string out = "0";
  for (int nines = 0; nines < 12; ++nines) {
    const double at = nines == 0 ? std::log10(2) : nines;
    const auto column = static_cast<std::size_t>(at / last * static_cast<double>(columns - 1));
    const std::string label = general(100 * (1 - std::pow(10, -at)));
    if (at >= last || column + label.size() > columns || column < out.size() + 2) continue;
    out.resize(column, ' ');
    out += label;
  }
  out.resize(columns, ' ');
  return out;
}

std::string plots_of(const TaskSeries& task, std::size_t columns) {
  double most = 0;
  for (const SeriesPoint& point : task.points) most = std::max(most, point.per_second);
  const double length = 2 * (task.points.back().at_s - task.start_s) *
                        static_cast<double>(task.points.size()) /
                        static_cast<double>(2 * task.points.size() - 1);
  std::string spark = spark_line(task.points, most);
  spark.append(columns - std::min(columns, task.points.size()), ' ');
  std::string out = fmt::format("\n{}\n  {}  up to {} {}, {} s\n", printable(task.task), spark,
                                brief_number(most), printable(task.unit), brief_number(length));
  const Canvas canvas = curve_canvas(task.curve, columns);
  for (std::size_t row = 0; row < kRows; ++row) {
    std::string beside;
    if (row == 0) beside = fmt::format("  {} ms", brief_number(task.curve.back().latency_ms));
    if (row + 1 == kRows) beside = fmt::format("  {} ms", brief_number(task.curve.front().latency_ms));
    out += fmt::format("  {}{}\n", canvas.line(row), beside);
  }
  return out + fmt::format("  {}  percent\n", percentile_axis(task.curve.back().nines, columns));
}

}  // namespace

std::size_t plot_columns(std::size_t width) {
  if (width < kFewestColumns + kBesides) return 0;
  return std::min(width - kBesides, kMostColumns);
}

std::string terminal_plots(const std::vector<TaskSeries>& tasks, std::size_t left_out, std::size_t width) {
  const std::size_t columns = plot_columns(width);
  std::string out;
  for (const TaskSeries& task : tasks)
    if (columns > 0 && !task.points.empty() && !task.curve.empty()) out += plots_of(task, columns);
  if (out.empty()) return out;
  out = "\nThroughput over time, and latency by percentile:\n" + out;
  if (left_out > 0)
    out += fmt::format("\n{} more task{}: `pacenote report --format=html` shows all\n", left_out,
                       left_out == 1 ? "" : "s");
  return out;
}

}  // namespace pacenote::reporters
