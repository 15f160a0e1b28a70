// Races out of the store.
#include <fmt/format.h>

#include <cstdio>

#include "cli/store_flags.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "cli/verb.hpp"

namespace pacenote::cli {
namespace {

struct DeleteFlags {
  std::string store, what, ids;
  bool dry_run = false;
};

/// All ids are looked up first: either every race goes or none. Only whole ids, as there is no way back.
ExitCode run_delete(const DeleteFlags& flags) {
  if (flags.what != "race")
    throw UserError(fmt::format("cannot delete [{}]", flags.what), "known: race", ExitCode::usage);
  store::Store store = open_store(flags.store);
  const std::vector<std::string> ids = csv_to_list("--id", flags.ids);
  if (ids.empty())
    throw UserError("--id names no race", "`pacenote list races` shows their ids", ExitCode::usage);
  for (const std::string& id : ids) {
    const RaceRecord race = store.race(id);
    if (race.id != id)
      throw UserError(fmt::format("[{}] is not a whole race id", id),
                      fmt::format("did you mean {}?", race.id));
  }
  for (const std::string& id : ids) {
    if (!flags.dry_run) store.remove_race(id);
    say("INFO", fmt::format("{} race {}", flags.dry_run ? "Would delete" : "Deleted", id));
  }
  return ExitCode::ok;
}

std::function<ExitCode()> add_delete(CLI::App& command) {
  // Shared: CLI11 writes into it while it parses, the returned function reads it afterwards.
  const auto flags = std::make_shared<DeleteFlags>();
  command.add_option("what", flags->what, "race")->required()->type_name("WHAT");
  command.add_option("--id", flags->ids, "Ids of the races, separated by commas.")
      ->required()
      ->type_name("RACE,...");
  command.add_flag("--dry-run", flags->dry_run, "Only say what would be deleted.")->disable_flag_override();
  add_store_flag(command, flags->store);
  return [flags] { return run_delete(*flags); };
}

const Registered<Verb> delete_verb{"delete",
                                   {"Delete races with all their samples from the store.", add_delete}};

}  // namespace
}  // namespace pacenote::cli
