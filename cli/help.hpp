// What --help looks like, and what is said when the command line does not parse.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace pacenote::cli {

/// Options by group in two columns, wrapped at the terminal's width (80 where there is none, at most 100).
class Help final : public CLI::Formatter {
 public:
  Help();
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* app) const override;

 private:
  std::size_t width_;
};

/// `text` in lines of at most `width` columns, each after the first indented by `indent`. Words longer than
/// that stay whole.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

/// Which race flags of Rally are refused or not there yet.
std::string unsupported_flags_text();

/// What to say of a command line that CLI11 could not parse: unknown flags with the nearest known one.
UserError usage_error(const CLI::App& app, const CLI::ParseError& error);

/// The first argument is neither a flag nor a verb: UserError with the nearest verb.
void check_verb(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace pacenote::cli
