// A command line of `race`, read as main reads it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/options.hpp"

namespace pacenote::test {

inline cli::RaceOptions race_line(std::vector<std::string> arguments) {
  CLI::App command("race");
  const auto read = cli::add_race_flags(command);
  command.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  return read();
}

/// Code, message and hint of the UserError that it throws.
struct Refusal {
  ExitCode code = ExitCode::ok;
  std::string text;
};

inline Refusal refusal(const std::vector<std::string>& arguments) {
  try {
    race_line(arguments);
  } catch (const UserError& error) {
    return {error.code(), std::string(error.what()) + "\n" + error.hint()};
  }
  return {};
}

}  // namespace pacenote::test
