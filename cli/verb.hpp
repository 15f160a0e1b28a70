// A verb of the command line; each file in cli/ that is one registers itself.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string_view>

#include "core/error.hpp"
#include "core/registry.hpp"

namespace pacenote::cli {

/// `add` declares the verb's flags on its subcommand and returns what runs it once they are parsed; that may
/// throw UserError, which main shows.
struct Verb {
  std::string_view help;  ///< one line
  std::function<ExitCode()> (*add)(CLI::App& command);
};

}  // namespace pacenote::cli
