// What people say of a race after it: tags and notes.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "cli/store_flags.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "cli/verb.hpp"
#include "core/text.hpp"

namespace pacenote::cli {
namespace {

struct TagFlags {
  std::string store, race, tags, remove, note;
};

/// The one that still runs writes its record itself at its end.
RaceRecord ended_race(const store::Store& store, const std::string& id) {
  RaceRecord race = store.race(id);
  if (race.state == RaceState::running)
    throw UserError(fmt::format("race {} is still running", race.id), "wait until it is done");
  return race;
}

ExitCode run_tag(const TagFlags& flags) {
  store::Store store = open_store(flags.store);
  RaceRecord race = ended_race(store, flags.race);
  const Json tags = flags.tags.empty() ? Json::object() : to_object("tags", flags.tags);
  const std::vector<std::string> removed = comma_list(flags.remove);
  if (tags.empty() && removed.empty())
    throw UserError("there is neither a tag to add nor one to remove", "write KEY:VALUE,… or --remove=KEY,…",
                    ExitCode::usage);
  for (const std::string& key : removed) {
    if (race.user_tags.erase(key) == 0)
      throw UserError(fmt::format("race {} has no tag [{}]", race.id, key),
                      "`pacenote list races` shows its tags");
  }
  if (tags.contains("")) throw UserError("a tag has no name", "write KEY:VALUE", ExitCode::usage);
  race.user_tags.update(tags);
  store.update_race(race);
  say("INFO", printable(fmt::format("Race {}: {}", race.id, reporters::tags_text(race.user_tags))));
  return ExitCode::ok;
}

ExitCode run_annotate(const TagFlags& flags) {
  store::Store store = open_store(flags.store);
  RaceRecord race = ended_race(store, flags.race);
  constexpr std::size_t kLongestNote = 2000;
  if (flags.note.size() > kLongestNote)
    throw UserError(fmt::format("the note has {} bytes", flags.note.size()),
                    fmt::format("at most {} are kept", kLongestNote), ExitCode::usage);
  if (flags.note.empty())
    throw UserError("the note is empty", "write it in quotes behind the race's id", ExitCode::usage);
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  race.annotations.push_back(fmt::format("{:%Y-%m-%d} {}", fmt::gmtime(now), flags.note));
  store.update_race(race);
  say("INFO", fmt::format("Race {}: noted; comparisons, html and json show it", race.id));
  return ExitCode::ok;
}

std::shared_ptr<TagFlags> add_shared(CLI::App& command) {
  // Shared: CLI11 writes into it while it parses, the returned function reads it afterwards.
  auto flags = std::make_shared<TagFlags>();
  command.add_option("race", flags->race, "Id of a race, or the beginning of one.")
      ->required()
      ->type_name("RACE");
  add_store_flag(command, flags->store);
  return flags;
}

std::function<ExitCode()> add_tag(CLI::App& command) {
  const auto flags = add_shared(command);
  command.add_option("tags", flags->tags, "Tags to set, as --user-tags of a race.")
      ->type_name("KEY:VALUE,...");
  command.add_option("--remove", flags->remove, "Tags to take away.")->type_name("KEY,...");
  return [flags] { return run_tag(*flags); };
}

std::function<ExitCode()> add_annotate(CLI::App& command) {
  const auto flags = add_shared(command);
  command.add_option("note", flags->note, "What to remember of the race; shown with it from now on.")
      ->required()
      ->type_name("TEXT");
  return [flags] { return run_annotate(*flags); };
}

const Registered<Verb> tag_verb{"tag", {"Set or remove tags of a stored race.", add_tag}};
const Registered<Verb> annotate_verb{"annotate", {"Add a note to a stored race.", add_annotate}};

}  // namespace
}  // namespace pacenote::cli
