#include "reporters/html/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reporters/markup.hpp"
#include "reporters/numbers.hpp"
#include "reporters/quantity.hpp"

namespace pacenote::reporters {
namespace {

std::string left_out(std::size_t all, std::size_t shown) {
  return all > shown ? fmt::format(" (the first {} of {}; `pacenote export` has all)", shown, all) : "";
}

std::string cell_of(const Cell& cell, const Detail& detail) {
  const bool is_text = std::holds_alternative<std::string>(cell.value) || cell.empty();
  const auto* real = std::get_if<Real>(&cell.value);
  const std::string text =
      real != nullptr && real->decimals < 0 && real->suffix.empty() ? general(real->value) : full_text(cell);
  const char* tone = cell.tone == Tone::better ? " better" : cell.tone == Tone::worse ? " worse" : "";
  return fmt::format("<td class=\"{}{}\">{}</td>", is_text ? "t" : "n", tone,
                     html_text(is_text ? clipped(text, detail) : text));
}

Cell percentile_cell(const TaskResult& task, Times times, double p) {
  const auto value = Quantity::percentile(times, p).of(task);
  return value ? number(*value) : Cell(Mark{"n/a"});
}

}  // namespace

std::string clipped(const std::string& text, const Detail& detail) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
    if (begins && characters++ == detail.name) return text.substr(0, i) + "…";
  }
  return text;
}

/// As text or attribute.
std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (const std::string_view entity = markup_entity(c); !entity.empty())
      out += entity;
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

std::string html_table(const Table& table, const std::string& caption, const Detail& detail) {
  const std::size_t shown = std::min(table.rows.size(), detail.rows);
  std::string out = fmt::format("<div class=\"scroll\"><table><caption>{}{}</caption><thead><tr>",
                                html_text(caption), left_out(table.rows.size(), shown));
  for (const std::string& name : table.header)
    out += fmt::format("<th scope=\"col\">{}</th>", html_text(name));
  out += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < shown; ++i) {
    out += "<tr>";
    for (const Cell& cell : table.rows[i]) out += cell_of(cell, detail);
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string html_notes(const std::vector<std::string>& notes, const Detail& detail) {
  if (notes.empty()) return {};
  const std::size_t shown = std::min(notes.size(), detail.notes);
  std::string out = "<ul class=\"notes\">";
  for (std::size_t i = 0; i < shown; ++i)
    out += fmt::format(
        "<li>{}</li>",
        html_text(clipped(notes[i], {.name = detail.name == Detail::kAll ? Detail::kAll : 2 * detail.name})));
  if (shown < notes.size()) out += fmt::format("<li>and {} more notes</li>", notes.size() - shown);
  return out + "</ul>\n";
}

Table tasks_in_brief(const Results& results) {
  Table table;
  table.header = {"Task",
                  "Throughput",
                  "Unit",
                  "p50 latency",
                  "p99 latency",
                  "max latency",
                  "p50 service_time",
                  "p99 service_time",
                  "max service_time",
                  "Error rate (%)",
                  "Samples"};
  const Quantity throughput = Quantity::parse("throughput");
  for (const TaskResult& task : results.tasks) {
    if (!task.include_in_reporting || task.state == TaskState::not_run) continue;
    const auto rate = throughput.of(task);
    std::vector<Cell> row{Cell(task.task), rate ? number(*rate) : Cell(Mark{"n/a"}),
                          Cell(task.throughput.unit)};
    for (const Times times : {Times::latency, Times::service_time})
      for (const double p : {50., 99., 100.}) row.push_back(percentile_cell(task, times, p));
    row.push_back(number(task.error_rate * 100, 2));
    row.emplace_back(static_cast<std::int64_t>(task.samples));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace pacenote::reporters
