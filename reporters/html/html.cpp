#include "reporters/html/html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reporters/html/assets.hpp"
#include "reporters/html/data.hpp"
#include "reporters/html/tables.hpp"
#include "reporters/race_report.hpp"

namespace pacenote::reporters {
namespace {

constexpr std::size_t kPointsInAll = 6000, kMostBytes = 980'000;

/// From everything to what fits whatever the names and however many the tasks.
constexpr Detail kDetails[] = {
    {},
    {.brief = true, .rows = 1500, .notes = 100, .name = 400, .tasks = 1000, .curve_points = 20},
    {.brief = true, .rows = 600, .notes = 50, .name = 150, .tasks = 500, .curve_points = 12},
    {.brief = true, .rows = 200, .notes = 20, .name = 60, .tasks = 150, .curve_points = 12},
    {.brief = true, .rows = 40, .notes = 10, .name = 40, .tasks = 20, .curve_points = 8}};

std::string facts_of(const RaceRecord& race, const Detail& detail) {
  const std::pair<std::string, std::string> facts[] = {
      {"Race", race.id},
      {"Started", basic_timestamp(race.started)},
      {"State", std::string(to_string(race.state))},
      {"Track", race.track},
      {"Track revision", race.track_revision},
      {"Challenge", race.challenge},
      {"Cluster", fmt::format("{} {}", race.cluster.name, race.cluster.version)},
      {"Tags", tags_text(race.user_tags)},
      {"Parameters", race.track_params.empty() ? "" : to_text(race.track_params)},
      {"Version", race.version}};
  std::string out = "<dl>";
  for (const auto& [name, value] : facts) {
    if (value.find_first_not_of(' ') != std::string::npos)
      out += fmt::format("<dt>{}</dt><dd>{}</dd>", name, html_text(clipped(value, detail)));
  }
  for (const std::string& annotation : race.annotations)
    out += fmt::format("<dt>Note</dt><dd>{}</dd>", html_text(clipped(annotation, detail)));
  return out + "</dl>\n";
}

std::string race_section(const HtmlRace& race, bool open, const Detail& detail) {
  const Table table = race_table(race.side.race, race.side.results, {});
  std::string out = fmt::format("<details{}><summary>Race {}</summary>\n", open ? " open" : "",
                                html_text(race.side.race.id));
  out += facts_of(race.side.race, detail);
  if (detail.brief) {
    out += html_table(tasks_in_brief(race.side.results), "Figures of each task (times in ms)", detail);
    Table cluster = table;
    std::erase_if(cluster.rows,
                  [](const std::vector<Cell>& row) { return !std::get<std::string>(row[1].value).empty(); });
    return out + html_table(cluster, "Figures of the cluster", detail) + "</details>\n";
  }
  for (const Table& next : table.more) out += html_table(next, next.title, detail);
  return out + html_table(table, "Rally's figures", detail) + "</details>\n";
}

std::string page(const std::vector<HtmlRace>& races, const Table* comparison, const Detail& detail) {
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
  if (comparison != nullptr) out += html_notes(comparison->notes, detail);
  for (const HtmlRace& race : races)
    out += html_notes(race_table(race.side.race, race.side.results, {}).notes, detail);
  if (detail.brief)
    out += html_notes(
        {"So many tasks, or names so long, that the file would have more than 1 MB with all of it: "
         "`pacenote report` and `pacenote export` show every figure"},
        {});
  out +=
      "<div id=\"charts\"><noscript><p>The charts need JavaScript; the tables below hold the same "
      "figures.</p>"
      "</noscript></div>\n";
  if (comparison != nullptr)
    out += "<details open><summary>Comparison</summary>\n" +
           html_table(*comparison, comparison->title, detail) + "</details>\n";
  for (const HtmlRace& race : races) out += race_section(race, races.size() == 1, detail);
  out += fmt::format(
      "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{}</script>\n<script>{}</script>\n",
      html_data(races, detail), assets::chart_script(), assets::report_script());
  return out + "</body></html>\n";
}

}  // namespace

std::size_t html_points(std::size_t tasks) {
  return std::clamp<std::size_t>(kPointsInAll / std::max<std::size_t>(tasks, 1), 10, 200);
}

std::string html_report(const std::vector<HtmlRace>& races, const Table* comparison) {
  std::string out;
  for (const Detail& detail : kDetails) {
    out = page(races, comparison, detail);
    if (out.size() <= kMostBytes) break;
  }
  return out;
}

}  // namespace pacenote::reporters
