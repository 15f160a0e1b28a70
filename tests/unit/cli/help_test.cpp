#include "cli/help.hpp"

#include <algorithm>

#include "cli/options.hpp"
#include "core/suggest.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::cli::help_test {

/// A program with the verb `race` and its flags.
struct Program {
  CLI::App app{"Races.", "pacenote"};
  CLI::App* race = app.add_subcommand("race", "Run a race.");
  Program() {
    app.formatter(std::make_shared<Help>());
    race->formatter(std::make_shared<Help>());
    add_race_flags(*race);
  }
  std::string mistake(std::vector<std::string> arguments) {
    try {
      check_verb(app, arguments);
      std::reverse(arguments.begin(), arguments.end());
      app.parse(arguments);
    } catch (const CLI::ParseError& error) {
      const UserError shown = usage_error(app, error);
      CHECK(shown.code() == ExitCode::usage);
      return std::string(shown.what()) + "\n" + shown.hint();
    } catch (const UserError& error) {
      CHECK(error.code() == ExitCode::usage);
      return std::string(error.what()) + "\n" + error.hint();
    }
    return "";
  }
};

TEST_CASE("text is wrapped between words", "[help]") {
  CHECK(wrapped("one two three", 8, 2) == "one two\n  three");
  CHECK(wrapped("onetwothree four", 5, 0) == "onetwothree\nfour");
  CHECK(wrapped("", 5, 2).empty());
}

TEST_CASE("unknown flags and verbs suggest the nearest", "[help]") {
  CHECK(Program().mistake({"rcae"}) == "unknown verb [rcae]\ndid you mean race?");
  CHECK(Program().mistake({"race", "--chalenge=x"}) ==
        "unknown flag [--chalenge]\ndid you mean --challenge?");
  CHECK(Program().mistake({"race", "--track=t", "--trak-params", "a:1"}).find("--track-params?") !=
        std::string::npos);
  CHECK(Program().mistake({"race", "--xyzzyxyzzy"}).find("`pacenote race --help`") != std::string::npos);
  CHECK(Program().mistake({"race", "stray"}).find("unexpected argument [stray]") != std::string::npos);
  CHECK(Program().mistake({"race", "--track"}).find("--track") != std::string::npos);
  CHECK(Program().mistake({}).find("a verb is missing") != std::string::npos);
}

TEST_CASE("the help of race is grouped and fits its width", "[help]") {
  const Program program;
  const std::string help = program.race->help("pacenote race");
  for (const char* part : {"What to race:", "Target:", "Measurement:", "Report:", "Pacenote's own:",
                           "--track NAME", "Not supported", "--distribution-version", "Not yet"})
    CHECK(help.find(part) != std::string::npos);
  std::size_t longest = 0, length = 0;
  for (const char c : help) {
    length = c == '\n' ? 0 : length + 1;
    longest = std::max(longest, length);
  }
  CHECK(longest <= 100);
}

}  // namespace pacenote::cli::help_test
