#include "reporters/html/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reporters/html/assets.hpp"
#include "reporters/markup.hpp"
#include "reporters/numbers.hpp"
#include "reporters/race_report.hpp"

namespace pacenote::reporters {
namespace {

constexpr std::size_t kPointsInAll = 6000, kMostMetricNames = 24, kMetricPointsInAll = 6000;

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

std::string cell_of(const Cell& cell) {
  const bool is_text = std::holds_alternative<std::string>(cell.value) || cell.empty();
  const auto* real = std::get_if<Real>(&cell.value);
  const std::string text =
      real != nullptr && real->decimals < 0 && real->suffix.empty() ? general(real->value) : full_text(cell);
  const char* tone = cell.tone == Tone::better ? " better" : cell.tone == Tone::worse ? " worse" : "";
  return fmt::format("<td class=\"{}{}\">{}</td>", is_text ? "t" : "n", tone, html_text(text));
}

std::string table_of(const Table& table, const std::string& caption) {
  std::string out =
      fmt::format("<div class=\"scroll\"><table><caption>{}</caption><thead><tr>", html_text(caption));
  for (const std::string& name : table.header)
    out += fmt::format("<th scope=\"col\">{}</th>", html_text(name));
  out += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (const Cell& cell : row) out += cell_of(cell);
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string notes_of(const std::vector<std::string>& notes) {
  if (notes.empty()) return {};
  std::string out = "<ul class=\"notes\">";
  for (const std::string& note : notes) out += fmt::format("<li>{}</li>", html_text(note));
  return out + "</ul>\n";
}

/// Short numbers: charts have a few hundred pixels.
Json brief(double value) {
  if (!std::isfinite(value)) return nullptr;
  return parse_json(fmt::format("{:.5g}", value));
}

Json data_of(const TaskSeries& task) {
  Json out = {{"task", task.task}, {"unit", task.unit}, {"start", brief(task.start_s)}};
  for (const char* key : {"t", "rate", "p50", "p99", "max", "errors", "nines", "latency", "service"})
    out[key] = Json::array();
  for (const SeriesPoint& point : task.points) {
    const bool any = point.requests > 0;
    out["t"].push_back(brief(point.at_s));
    out["rate"].push_back(brief(point.per_second));
    out["p50"].push_back(any ? brief(point.p50_ms) : Json());
    out["p99"].push_back(any ? brief(point.p99_ms) : Json());
    out["max"].push_back(any ? brief(point.max_ms) : Json());
    out["errors"].push_back(point.errors);
  }
  for (const CurvePoint& point : task.curve) {
    out["nines"].push_back(brief(point.nines));
    out["latency"].push_back(brief(point.latency_ms));
    out["service"].push_back(brief(point.service_time_ms));
  }
  return out;
}

Json data_of(const HtmlRace& race, const std::set<std::string>& shown_metrics, std::size_t metric_points) {
  Json out = {{"id", race.side.race.id}, {"tasks", Json::array()}, {"metrics", Json::array()}};
  for (const TaskSeries& task : race.tasks) {
    if (!task.points.empty()) out["tasks"].push_back(data_of(task));
  }
  for (const MetricSeries& series : race.metrics) {
    if (!shown_metrics.contains(series.name)) continue;
    Json one = {{"name", series.name}, {"unit", series.unit}, {"node", series.node}};
    one["t"] = one["v"] = Json::array();
    const std::size_t step = series.points.size() / std::max<std::size_t>(metric_points, 1) + 1;
    for (std::size_t i = 0; i < series.points.size(); i += step) {
      one["t"].push_back(brief(series.points[i].first));
      one["v"].push_back(brief(series.points[i].second));
    }
    out["metrics"].push_back(std::move(one));
  }
  return out;
}

/// JSON in a script element: only `<` could end it.
std::string script_data(const Json& data) {
  std::string out;
  for (const char c : data.dump(-1, ' ', true, Json::error_handler_t::replace)) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

Json all_data(const std::vector<HtmlRace>& races) {
  std::set<std::string> names;
  std::size_t series = 0;
  for (const HtmlRace& race : races) {
    for (const MetricSeries& metric : race.metrics) {
      if (names.size() < kMostMetricNames) names.insert(metric.name);
      series += names.contains(metric.name) ? 1 : 0;
    }
  }
  const std::size_t points = std::max<std::size_t>(kMetricPointsInAll / std::max<std::size_t>(series, 1), 10);
  Json out = {{"races", Json::array()}};
  for (const HtmlRace& race : races) out["races"].push_back(data_of(race, names, points));
  return out;
}

std::string facts_of(const RaceRecord& race) {
  const std::pair<std::string, std::string> facts[] = {
      {"Race", race.id},
      {"Started", basic_timestamp(race.started)},
      {"State", std::string(to_string(race.state))},
      {"Track", race.track},
      {"Challenge", race.challenge},
      {"Cluster", fmt::format("{} {}", race.cluster.name, race.cluster.version)},
      {"Tags", tags_text(race.user_tags)},
      {"Parameters", race.track_params.empty() ? "" : to_text(race.track_params)},
      {"Version", race.version}};
  std::string out = "<dl>";
  for (const auto& [name, value] : facts) {
    if (value.find_first_not_of(' ') != std::string::npos)
      out += fmt::format("<dt>{}</dt><dd>{}</dd>", name, html_text(value));
  }
  for (const std::string& annotation : race.annotations)
    out += fmt::format("<dt>Note</dt><dd>{}</dd>", html_text(annotation));
  return out + "</dl>\n";
}

std::string race_section(const HtmlRace& race, bool open) {
  const Table table = race_table(race.side.race, race.side.results, {});
  std::string out = fmt::format("<details{}><summary>Race {}</summary>\n", open ? " open" : "",
                                html_text(race.side.race.id));
  out += facts_of(race.side.race);
  for (const Table& next : table.more) out += table_of(next, next.title);
  out += table_of(table, "Rally's figures");
  return out + "</details>\n";
}

}  // namespace

std::size_t html_points(std::size_t tasks) {
  return std::clamp<std::size_t>(kPointsInAll / std::max<std::size_t>(tasks, 1), 10, 200);
}

std::string html_report(const std::vector<HtmlRace>& races, const Table* comparison) {
  std::string names;
  for (const HtmlRace& race : races)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", race.side.race.id);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data:\">"
      "<title>pacenote: {}</title>\n<style>{}{}</style></head><body>\n<h1>{}</h1>\n",
      html_text(names), assets::chart_style(), assets::report_style(), html_text(names));
  for (const HtmlRace& race : races) out += notes_of(race_table(race.side.race, race.side.results, {}).notes);
  out +=
      "<div id=\"charts\"><noscript><p>The charts need JavaScript; the tables below hold the same "
      "figures.</p>"
      "</noscript></div>\n";
  if (comparison != nullptr)
    out += notes_of(comparison->notes) + "<details open><summary>Comparison</summary>\n" +
           table_of(*comparison, "Each metric in both groups") + "</details>\n";
  for (const HtmlRace& race : races) out += race_section(race, races.size() == 1);
  out += fmt::format(
      "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{}</script>\n<script>{}</script>\n",
      script_data(all_data(races)), assets::chart_script(), assets::report_script());
  return out + "</body></html>\n";
}

}  // namespace pacenote::reporters
