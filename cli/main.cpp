// Verb -> function, and the one place where errors are shown.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>
#include <sstream>
#include <system_error>

#include "cli/help.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "core/text.hpp"
#include "core/version.hpp"

namespace pacenote::cli {
namespace {

/// "--flag=" as "--flag" and an empty value: CLI11 would take the next argument for the value.
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> out;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool empty_value = argument.starts_with("--") && argument.find('=') == argument.size() - 1;
    out.push_back(empty_value ? argument.substr(0, argument.size() - 1) : argument);
    if (empty_value) out.emplace_back();
  }
  return out;
}

/// Outside of `race`, whose flags are Rally's, an empty argument is a script's variable that was not set:
/// "the latest race" is not what was meant.
void check_empty(const std::vector<std::string>& given) {
  if (given.empty() || given.front() == "race") return;
  if (std::find(given.begin(), given.end(), "") != given.end())
    throw UserError("an argument is empty",
                    "give it a value or leave it out; is a variable of your script not set?",
                    ExitCode::usage);
}

ExitCode run(const std::vector<std::string>& given) {
  check_empty(given);
  CLI::App app("Races Elasticsearch and OpenSearch clusters with Rally's tracks and Rally's command line.",
               "pacenote");
  app.formatter(std::make_shared<Help>());
  app.set_version_flag("--version", fmt::format("pacenote {}", kVersion), "Print the version.");
  app.set_help_flag("-h,--help", "Print this help.");
  std::map<const CLI::App*, std::function<ExitCode()>> verbs;
  for (const auto& [name, verb] : Registry<Verb>::all()) {
    CLI::App* command = app.add_subcommand(name, std::string(verb.help))->group("Verbs");
    verbs.emplace(command, verb.add(*command));
  }
  check_verb(app, given);
  try {
    app.parse(std::vector<std::string>(given.rbegin(), given.rend()));
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    const int code = app.exit(help_or_version, text);
    print(text.str());  // which says it if it cannot be written
    return static_cast<ExitCode>(code);
  } catch (const CLI::ParseError& error) {
    throw usage_error(app, error);
  }
  return verbs.at(app.get_subcommands().front())();
}

int show(const UserError& error) {
  say("ERROR", fmt::format("{}{}{}", error.what(), error.hint().empty() ? "" : "\n", error.hint()));
  return static_cast<int>(error.code());
}

}  // namespace
}  // namespace pacenote::cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone is an error of the write, which says so
  try {
    return static_cast<int>(pacenote::cli::run(pacenote::cli::arguments(argc, argv)));
  } catch (const pacenote::UserError& error) {
    return pacenote::cli::show(error);
  } catch (const std::bad_alloc&) {
    return pacenote::cli::show(pacenote::UserError(
        "not enough memory", "Use fewer clients or smaller bulks, or raise `ulimit -v`."));
  } catch (const std::system_error& error) {  // no threads, no files: the machine's limits, not our bug
    return pacenote::cli::show(
        pacenote::UserError(error.what(), "Raise `ulimit -n` (open files) or `ulimit -u` (threads)."));
  }
}
