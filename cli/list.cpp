// What there is: races in the store, and the named parts of the program.
#include <fmt/format.h>

#include <cstdio>

#include "cli/store_flags.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "cli/verb.hpp"
#include "core/runner.hpp"
#include "core/text.hpp"
#include "reporters/quantity.hpp"
#include "reporters/races.hpp"
#include "telemetry/device.hpp"
#include "tracks/corpora.hpp"
#include "tracks/loader.hpp"
#include "tracks/repository.hpp"
#include "tracks/validity.hpp"

namespace pacenote::cli {
namespace {

struct ListFlags {
  std::string store, what, track, challenge, user_tags, from, to;
  std::string format = "text";
  std::string track_path, python;
  std::size_t limit = 10;
  bool all = false;
};

/// yyyyMMdd, midnight UTC.
std::optional<WallTime> day(std::string_view flag, const std::string& text) {
  if (text.empty()) return std::nullopt;
  int year = 0;
  int month_day = 0;
  if (text.size() == 8 && text.find_first_not_of("0123456789") == std::string::npos) {
    year = std::stoi(text.substr(0, 4));
    month_day = std::stoi(text.substr(4));
  }
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month_day) / 100),
                                         std::chrono::day(static_cast<unsigned>(month_day) % 100)};
  if (!date.ok())
    throw UserError(fmt::format("{} is not a day: [{}]", flag, text), "use yyyyMMdd", ExitCode::usage);
  return WallTime(std::chrono::sys_days(date));
}

store::RaceFilter filter_from(const ListFlags& flags) {
  store::RaceFilter filter;
  filter.limit = flags.limit;
  filter.track = flags.track;
  filter.challenge = flags.challenge;
  if (!flags.user_tags.empty()) filter.user_tags = to_object("--user-tags", flags.user_tags);
  filter.from = day("--from-date", flags.from);
  filter.to = day("--to-date", flags.to);
  if (filter.to) *filter.to += std::chrono::days(1);  // the day itself is meant, too
  return filter;
}

void print_json(const std::string& name, Json list) {
  Json json = Json::object();
  json[name] = std::move(list);
  print(json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void list_races(const ListFlags& flags) {
  store::RaceFilter filter = filter_from(flags);
  filter.brief = flags.format == "text";
  std::vector<RaceRecord> races;  // none before the first race, which makes the store
  const bool there = std::filesystem::exists(store_file(flags.store));
  if (!there && !flags.store.empty())
    say("WARNING", fmt::format("there is no store at {}: a race makes it", flags.store));
  if (there) {
    filter.limit = flags.limit + 1;  // one more tells whether there are more
    races = open_store(flags.store).races(filter);
  }
  const bool more = races.size() > flags.limit;
  if (more) races.resize(flags.limit);
  if (flags.format == "text" && races.empty()) return print("No race in the store fits.\n");
  if (more) say("INFO", fmt::format("the {} newest; --limit shows more", flags.limit));
  if (flags.format == "text") return print(plain_text(reporters::races_table(races)));
  Json documents = Json::array();
  for (const RaceRecord& race : races) documents.push_back(reporters::race_document(race, nullptr));
  print_json("races", std::move(documents));
}

/// A table of texts, or the same as objects under the table's column names in lower case.
void list_parts(const ListFlags& flags, const std::vector<std::string>& header,
                const std::vector<std::vector<std::string>>& rows) {
  reporters::Table table;
  table.header = header;
  Json objects = Json::array();
  for (const auto& texts : rows) {
    Json object = Json::object();
    table.rows.emplace_back();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      table.rows.back().emplace_back(texts[i]);
      object[lower_case(header[i])] = texts[i];
    }
    objects.push_back(std::move(object));
  }
  if (flags.format == "text") return print(plain_text(table));
  print_json(flags.what, std::move(objects));
}

void list_operations(const ListFlags& flags) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, type] : Registry<OperationType>::all()) {
    rows.push_back({name, type.admin ? "yes" : "", type.retried ? "yes" : "", std::string(type.help)});
  }
  list_parts(flags, {"Operation", "Admin", "Retried", "Description"}, rows);
}

void list_telemetry(const ListFlags& flags) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, device] : Registry<telemetry::DeviceType>::all()) {
    rows.push_back({name, device.always_on ? "yes" : "", std::string(device.help)});
  }
  list_parts(flags, {"Command", "Always", "Description"}, rows);
}

void list_formats(const ListFlags& flags) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, format] : Registry<reporters::Format>::all())
    rows.push_back({name, std::string(format.help)});
  list_parts(flags, {"Format", "Description"}, rows);
}

void list_metrics(const ListFlags& flags) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& name : reporters::Quantity::names()) {
    const reporters::ClusterQuantity* of_cluster = reporters::cluster_quantity(name);
    rows.push_back({name, of_cluster != nullptr ? "cluster" : "task",
                    of_cluster != nullptr ? of_cluster->figure : std::string()});
  }
  list_parts(flags, {"Metric", "Of", "Rally's name"}, rows);
}

/// How far a track gets: "yes" for what works, and why the next does not.
std::vector<std::string> state_of_track(const std::string& name, const tracks::LoadOptions& options) {
  std::vector<std::string> row = {name, "no", "no", "no", ""};
  try {
    static_cast<void>(tracks::rendered(options));
    row[1] = "yes";
    tracks::Loaded loaded = tracks::read(options);
    tracks::PrepareOptions corpora;
    corpora.data_dir = tracks::default_data_dir();
    const auto missing = tracks::look_for(loaded.track, corpora);
    row[2] = "yes";
    std::size_t runs = 0;
    for (const Challenge& challenge : loaded.track.challenges) {
      const std::string why_not = tracks::why_not_raced(loaded.track, challenge, loaded.plugin, missing);
      runs += why_not.empty() ? 1 : 0;
      if (row[4].empty()) row[4] = why_not.substr(0, why_not.find('\n'));
    }
    row[3] = fmt::format("{} of {} challenges", runs, loaded.track.challenges.size());
  } catch (const UserError& error) {
    const std::string text = error.what();
    row[4] = text.substr(0, text.find('\n'));
  }
  return row;
}

/// The bundled tracks and those of a folder, each rendered, loaded and looked at.
void list_all_tracks(const ListFlags& flags) {
  std::vector<std::vector<std::string>> rows;
  tracks::SideCar side_car(flags.python);
  tracks::LoadOptions options;
  options.side_car = &side_car;
  for (const auto& [name, description] : tracks::bundled_tracks()) {
    options.track = name;
    rows.push_back(state_of_track(name, options));
  }
  options.track.clear();
  const std::filesystem::path folder = flags.track_path.empty() ? tracks::default_data_dir() / "tracks"
                                                                : std::filesystem::path(flags.track_path);
  for (const std::filesystem::path& track : tracks::track_folders(folder)) {
    options.track_path = folder / track;
    rows.push_back(state_of_track(track.string(), options));
  }
  list_parts(flags, {"Name", "Renders", "Loads", "Runs", "Why"}, rows);
}

void list_tracks(const ListFlags& flags) {
  if (flags.all) return list_all_tracks(flags);
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, description] : tracks::bundled_tracks()) rows.push_back({name, description});
  list_parts(flags, {"Name", "Description"}, rows);
}

const std::map<std::string, void (*)(const ListFlags&)> kLists = {
    {"formats", list_formats}, {"metrics", list_metrics},     {"operations", list_operations},
    {"races", list_races},     {"telemetry", list_telemetry}, {"tracks", list_tracks}};

ExitCode run_list(const ListFlags& flags) {
  const auto it = kLists.find(flags.what);
  if (it == kLists.end()) {
    std::vector<std::string> names;
    for (const auto& [name, list] : kLists) names.push_back(name);
    throw UserError(fmt::format("there is no list of [{}]", flags.what), suggestion(flags.what, names),
                    ExitCode::usage);
  }
  it->second(flags);
  return ExitCode::ok;
}

std::function<ExitCode()> add_list(CLI::App& command) {
  // Shared: CLI11 writes into it while it parses, the returned function reads it afterwards.
  const auto flags = std::make_shared<ListFlags>();
  command.add_option("what", flags->what, "races, tracks, operations, telemetry, metrics or formats.")
      ->required()
      ->type_name("WHAT");
  command.add_option("--limit", flags->limit, "Races: at most so many, newest first. Default: 10.")
      ->check(CLI::Range(1, 1'000'000'000))
      ->type_name("N");
  command.add_option("--track", flags->track, "Races of this track.")->type_name("NAME");
  command.add_option("--challenge", flags->challenge, "Races of this challenge.")->type_name("NAME");
  command.add_option("--user-tags", flags->user_tags, "Races with all of these tags.")
      ->type_name("KEY:VALUE,...");
  command.add_option("--from-date", flags->from, "Races from this day (UTC) on.")->type_name("YYYYMMDD");
  command.add_option("--to-date", flags->to, "Races up to this day (UTC), itself included.")
      ->type_name("YYYYMMDD");
  command.add_option("--format", flags->format, "text or json. Default: text.")
      ->type_name("NAME")
      ->check(CLI::IsMember({"text", "json"}));
  command.add_flag("--all", flags->all,
                   "Tracks: also those of the cloned repositories, or of --track-path; says which of them "
                   "render, load and run.");
  command.add_option("--track-path", flags->track_path, "Tracks: the folder below which --all looks.")
      ->type_name("DIR");
  command.add_option("--python", flags->python, "A python3 that has jinja2, for --all.")->type_name("PATH");
  add_store_flag(command, flags->store);
  return [flags] { return run_list(*flags); };
}

const Registered<Verb> list_verb{
    "list",
    {"List races, tracks, operations, telemetry devices, metrics of gates or report formats.", add_list}};

}  // namespace
}  // namespace pacenote::cli
