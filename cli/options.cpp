#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cstdlib>
#include <map>
#include <set>

#include "cli/flags.hpp"
#include "cli/help.hpp"
#include "cli/target.hpp"

namespace pacenote::cli {
namespace {

/// Where an empty value, as an unset variable of a script gives it, would silently mean something else.
const std::set<std::string_view> kNeverEmpty = {"--track",        "--track-path", "--challenge", "--pipeline",
                                                "--target-hosts", "--store",      "--data-dir",  "--race-id"};

using Declared = std::vector<std::pair<const CLI::Option*, const Flag*>>;

CLI::Option* declare(CLI::App& command, const Flag& flag) {
  const std::string name(flag.name);
  CLI::Option* option = nullptr;
  if (flag.value.empty()) {
    option = command.add_flag(name)->disable_flag_override();
  } else {
    option = command.add_option(name, [](const CLI::results_t&) { return true; });
    option->type_name(std::string(flag.value))->default_str(std::string(flag.preset));
  }
  return option->description(std::string(flag.help))->take_last()->group(std::string(flag.group));
}

const Flag* flag_of(const Declared& declared, const CLI::Option* option) {
  for (const auto& [known, flag] : declared)
    if (known == option) return flag;
  return nullptr;  // an option that somebody else declared
}

/// The flags that were given with their values, in the order they were given: later ones win, but for those
/// that collect.
std::vector<std::pair<const Flag*, std::string>> given(const CLI::App& command, const Declared& declared) {
  std::vector<std::pair<const Flag*, std::string>> out;
  std::map<const CLI::Option*, std::size_t> before;
  for (const CLI::Option* option : command.parse_order()) {
    const Flag* flag = flag_of(declared, option);
    if (flag == nullptr) continue;
    const CLI::results_t& values = option->results();
    const std::string value = values.at(std::min(before[option]++, values.size() - 1));
    if (!flag->value.empty() && value.starts_with("--"))
      throw UserError(fmt::format("{} needs a value", flag->name),
                      fmt::format("write {}={}", flag->name, flag->value), ExitCode::usage);
    if (value.empty() && kNeverEmpty.contains(flag->name))
      throw UserError(fmt::format("{} is empty", flag->name),
                      "give it a value or leave it out; is a variable of your script not set?",
                      ExitCode::usage);
    out.emplace_back(flag, value);
  }
  return out;
}

bool not_supported(const Flag& flag, const std::string& value) {
  const bool supported = flag.status == FlagStatus::works || flag.status == FlagStatus::ignored;
  return !supported && (flag.preset.empty() || value != flag.preset);
}

void check_together(const RaceReading& reading) {
  const RaceOptions& o = reading.options;
  if (o.track.empty() && o.track_path.empty())
    throw UserError("--track is missing", "name a bundled track (`pacenote list tracks`) or a --track-path",
                    ExitCode::usage);
  if (!o.track.empty() && !o.track_path.empty())
    throw UserError("--track and --track-path exclude each other", "give one of them", ExitCode::usage);
  if (!o.track_path.empty() && !o.repository.source.empty())
    throw UserError("--track-path and --track-repository exclude each other", "give one of them",
                    ExitCode::usage);
  if (!o.include_tasks.empty() && !o.exclude_tasks.empty())
    throw UserError("--include-tasks and --exclude-tasks exclude each other", "give one of them",
                    ExitCode::usage);
}

RaceOptions finished(RaceReading reading) {
  check_together(reading);
  RaceOptions& o = reading.options;
  if (!o.repository.revision.empty() && o.repository.source.empty())
    o.repository.source = "default";  // as Rally
  o.sandbox = !reading.target_hosts && !reading.pipeline;
  o.target = make_target(reading.target_hosts.value_or(""), reading.client_options);
  if (o.sandbox) o.target.hosts.clear();
  const char* allowed = std::getenv("PACENOTE_ALLOW_DESTRUCTIVE");
  if (allowed != nullptr && std::string_view(allowed) == "1") o.allow_destructive = true;
  if (o.race_id.empty()) o.race_id = boost::uuids::to_string(boost::uuids::random_generator()());
  return std::move(reading.options);
}

}  // namespace

std::function<RaceOptions()> add_race_flags(CLI::App& command) {
  Declared declared;
  for (const Flag& flag : race_flags()) declared.emplace_back(declare(command, flag), &flag);
  command.footer(unsupported_flags_text());
  return [&command, declared] {
    const auto flags = given(command, declared);
    for (const auto& [flag, value] : flags)
      if (not_supported(*flag, value)) refuse(*flag);
    RaceReading reading;
    for (const auto& [flag, value] : flags)
      if (flag->set != nullptr) flag->set(reading, value);
    return finished(std::move(reading));
  };
}

}  // namespace pacenote::cli
