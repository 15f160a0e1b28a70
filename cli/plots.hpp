// Small plots under the table of a race, for those who watch it at a terminal.
#pragma once

#include <string>

#include "cli/store_flags.hpp"

namespace pacenote::cli {

/// On standard output, or else standard error, if that is a terminal that can show them and the report there
/// is the usual table. Nothing elsewhere, and nothing where the store cannot be read.
void show_plots(const store::Store& store, const std::string& race, const Results& results,
                const ReportFlags& flags);

}  // namespace pacenote::cli
