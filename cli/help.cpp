#include "cli/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "cli/flags.hpp"
#include "cli/terminal.hpp"
#include "core/suggest.hpp"

namespace pacenote::cli {
namespace {

constexpr std::size_t kIndent = 26;

/// Two columns: what does not fit into the left one pushes the right one to the next line.
std::string row(const std::string& left, const std::string& right, std::size_t width) {
  std::string out = "  " + left;
  if (right.empty()) return out + "\n";
  if (out.size() + 2 > kIndent)
    out += "\n" + std::string(kIndent, ' ');
  else
    out += std::string(kIndent - out.size(), ' ');
  return out + wrapped(right, width - kIndent, kIndent) + "\n";
}

std::vector<std::string> flag_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
  return out;
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    out.push_back(verb->get_name());
  return out;
}

std::vector<std::string> names_with(FlagStatus status) {
  std::vector<std::string> out;
  for (const Flag& flag : race_flags())
    if (flag.status == status) out.emplace_back(flag.name);
  return out;
}

}  // namespace

Help::Help() : width_(std::clamp<std::size_t>(terminal_width(1).value_or(80), 60, 100)) {}

std::string Help::make_group(std::string group, bool is_positional,
                             std::vector<const CLI::Option*> options) const {
  std::string out = (is_positional ? "What it takes" : group) + ":\n";
  for (const CLI::Option* option : options) out += make_option(option, is_positional);
  return is_positional ? out + "\n" : out;  // other groups get their blank line from CLI11
}

std::string Help::make_option(const CLI::Option* option, bool is_positional) const {
  std::string left = option->get_name(is_positional, !is_positional);
  if (option->get_type_size() != 0 && !option->get_type_name().empty() && !is_positional)
    left += " " + option->get_type_name();
  std::string right = option->get_description();
  if (!option->get_default_str().empty()) right += fmt::format(" [{}]", option->get_default_str());
  return row(left, right, width_);
}

std::string Help::make_usage(const CLI::App* app, std::string name) const {
  const bool verbs = !verb_names(*app).empty();
  std::string out = fmt::format("\nUsage: {} {}", name, verbs ? "VERB [FLAGS]" : "[FLAGS]");
  for (const CLI::Option* option : app->get_options())
    if (option->get_positional()) out += " " + make_option_usage(option);
  return out + "\n\n";
}

std::string Help::make_subcommand(const CLI::App* command) const {
  return row(command->get_name(), command->get_description(), width_);
}

std::string Help::make_footer(const CLI::App* app) const {
  std::string out;
  std::istringstream paragraphs(app->get_footer());
  for (std::string line; std::getline(paragraphs, line);) out += wrapped(line, width_, 2) + "\n";
  return out;
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (column > 0 && column + 1 + word.size() > width) {
      out += "\n" + std::string(indent, ' ');
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string unsupported_flags_text() {
  return fmt::format(
      "Not supported, since pacenote drives clusters and does not install them (or has no use for it): {}.\n"
      "Not yet: {}.\n"
      "PARAMS is JSON, the name of a .json file, or k:v,k2:v2. LIST is a,b or a JSON array of texts.",
      fmt::join(names_with(FlagStatus::refused), ", "), fmt::join(names_with(FlagStatus::not_yet), ", "));
}

UserError usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto used = app.get_subcommands();
  const CLI::App& where = used.empty() ? app : *used.front();
  const std::string help = used.empty()
                               ? "`pacenote --help` lists the verbs"
                               : fmt::format("`pacenote {} --help` lists the flags", where.get_name());
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr)
    return UserError(error.what(), help, ExitCode::usage);
  auto left = where.remaining();
  if (left.empty()) left = app.remaining();
  const std::string word = left.empty() ? "" : left.front().substr(0, left.front().find('='));
  const auto near = word.starts_with("-") ? nearest(word, flag_names(where)) : std::nullopt;
  return UserError(
      fmt::format("{} [{}]", word.starts_with("-") ? "unknown flag" : "unexpected argument", word),
      near ? fmt::format("did you mean {}?", *near) : help, ExitCode::usage);
}

void check_verb(const CLI::App& app, const std::vector<std::string>& arguments) {
  const auto verbs = verb_names(app);
  if (arguments.empty()) throw UserError("a verb is missing", suggestion("", verbs), ExitCode::usage);
  const std::string& verb = arguments.front();
  if (verb.starts_with("-") || std::find(verbs.begin(), verbs.end(), verb) != verbs.end()) return;
  throw UserError(fmt::format("unknown verb [{}]", verb), suggestion(verb, verbs), ExitCode::usage);
}

}  // namespace pacenote::cli
