// `pacenote info`: what a race of a challenge would be.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/store_flags.hpp"
#include "cli/track_flags.hpp"
#include "cli/track_tree.hpp"
#include "cli/verb.hpp"
#include "core/text.hpp"
#include "tracks/needs.hpp"

namespace pacenote::cli {
namespace {

std::string info_of(const tracks::Loaded& loaded) {
  const Track& track = loaded.track;
  const Challenge& challenge = loaded.challenge;
  std::string out = fmt::format("Track [{}]: {}\n", track.name, track.description);
  if (!loaded.parameters.empty()) out += fmt::format("Parameters: {}\n", fmt::join(loaded.parameters, ", "));
  out += "Challenges:\n";
  for (const Challenge& one : track.challenges)
    out += fmt::format("  {}{}{}\n", one.name, one.is_default ? " (default)" : "",
                       one.description.empty() ? "" : fmt::format(": {}", one.description));
  std::uint32_t clients = 1;
  for (const Parallel& step : challenge.schedule) clients = std::max(clients, step.client_slots());
  out += fmt::format("\nChallenge [{}], at most {} client{} at a time:\n", challenge.name, clients,
                     clients == 1 ? "" : "s");
  if (!challenge.user_info.empty()) out += fmt::format("{}\n", challenge.user_info);
  out += tree_of(challenge) + "\n" + plan_of(track, challenge);
  const auto needs = tracks::missing_parts(challenge);
  if (!needs.empty()) out += fmt::format("Cannot be raced yet, for it needs: {}\n", tracks::listed(needs));
  return out;
}

std::function<ExitCode()> add_info(CLI::App& command) {
  const auto flags = std::make_shared<TrackFlags>();  // shared: CLI11 writes into it, the function reads it
  add_track_flags(command, *flags);
  return [flags] {
    tracks::Loaded loaded = tracks::read(load_options(*flags));
    static_cast<void>(tracks::look_for(loaded.track, prepare_options(*flags)));  // for their sizes
    PlainNotes notes;
    for (const std::string& warning : loaded.warnings) notes.warning(warning);
    for (const std::string& note : loaded.notes) notes.info(note);
    print(printable_lines(info_of(loaded)));
    return ExitCode::ok;
  };
}

const Registered<Verb> info_verb{
    "info", {"Show a track's challenges, and what a race of one of them would do.", add_info}};

}  // namespace
}  // namespace pacenote::cli
