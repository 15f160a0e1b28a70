// `pacenote validate-track`: whether a track loads, and which of its challenges can be raced. No cluster.
#include <fmt/format.h>

#include "cli/store_flags.hpp"
#include "cli/track_flags.hpp"
#include "cli/track_tree.hpp"
#include "cli/verb.hpp"
#include "core/text.hpp"
#include "tracks/validity.hpp"

namespace pacenote::cli {
namespace {

ExitCode validate(const TrackFlags& flags) {
  tracks::Loaded loaded = tracks::read(load_options(flags));
  const auto missing = tracks::look_for(loaded.track, prepare_options(flags));
  PlainNotes notes;
  for (const std::string& warning : loaded.warnings) notes.warning(warning);
  std::string out = fmt::format("Track [{}] loads.\n", loaded.track.name);
  std::size_t shown = 0, wrong = 0;
  for (const Challenge& challenge : loaded.track.challenges) {
    if (!flags.challenge.empty() && challenge.name != flags.challenge) continue;
    ++shown;
    const std::string why_not = tracks::why_not_raced(loaded.track, challenge, loaded.plugin, missing);
    wrong += why_not.empty() ? 0 : 1;
    out += why_not.empty() ? fmt::format("Challenge [{}] runs: {}\n", challenge.name,
                                         estimate_of(loaded.track, challenge))
                           : fmt::format("Challenge [{}] cannot be raced: {}\n", challenge.name, why_not);
  }
  print(printable_lines(out));
  if (wrong > 0)
    throw UserError(fmt::format("{} of {} challenges cannot be raced", wrong, shown),
                    "choose by --challenge which are to be looked at");
  return ExitCode::ok;
}

std::function<ExitCode()> add_validate_track(CLI::App& command) {
  const auto flags = std::make_shared<TrackFlags>();  // shared: CLI11 writes into it, the function reads it
  add_track_flags(command, *flags);
  return [flags] { return validate(*flags); };
}

const Registered<Verb> validate_track_verb{
    "validate-track", {"Check a track and all its challenges; no cluster is needed.", add_validate_track}};

}  // namespace
}  // namespace pacenote::cli
