// `pacenote render-track`: the track file as its templates make it.
#include "cli/store_flags.hpp"
#include "cli/track_flags.hpp"
#include "cli/verb.hpp"

namespace pacenote::cli {
namespace {

std::function<ExitCode()> add_render_track(CLI::App& command) {
  const auto flags = std::make_shared<TrackFlags>();  // shared: CLI11 writes into it, the function reads it
  add_track_flags(command, *flags);
  return [flags] {
    print(tracks::rendered(load_options(*flags)) + "\n");
    return ExitCode::ok;
  };
}

const Registered<Verb> render_track_verb{
    "render-track", {"Print a track as its templates make it of the parameters.", add_render_track}};

}  // namespace
}  // namespace pacenote::cli
