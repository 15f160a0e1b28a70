// Races from elsewhere: Rally's race.json files, stores of others, single races as files.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>

#include "cli/store_flags.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "reporters/rally.hpp"

namespace pacenote::cli {
namespace {

namespace fs = std::filesystem;

struct ImportFlags {
  std::string store;
  std::vector<std::string> files;
};

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string out{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw UserError(fmt::format("cannot read {}", file.string()), "check its permissions");
  return out;
}

bool is_store(const fs::path& file) {
  constexpr std::string_view kMagic = "SQLite format 3";  // https://www.sqlite.org/fileformat.html, 1.3.1
  std::string begin(kMagic.size(), '\0');
  std::ifstream(file, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == kMagic;
}

/// The file itself, or every race.json below a folder.
std::vector<fs::path> files_of(const std::string& name) {
  std::error_code error;
  if (!fs::exists(name, error))
    throw UserError(fmt::format("there is no file {}", name),
                    "name a race.json, a folder with some, or a store");
  if (!fs::is_directory(name)) return {name};
  std::vector<fs::path> out;
  for (const auto& entry :
       fs::recursive_directory_iterator(name, fs::directory_options::skip_permission_denied))
    if (entry.path().filename() == "race.json") out.push_back(entry.path());
  if (out.empty())
    throw UserError(fmt::format("there is no race.json below {}", name),
                    "name Rally's folder of races, usually ~/.rally/benchmarks/races");
  std::ranges::sort(out);
  return out;
}

class Import {
 public:
  explicit Import(const std::string& store) : into_(store_file(store)) {}
  void file(const fs::path& file) {
    if (is_store(file))
      merge(file);
    else
      rally_race(file);
  }
  void sum_up() const {
    say("INFO", fmt::format("{} race{} imported, {} already there and left as they are", imported_,
                            imported_ == 1 ? "" : "s", known_));
  }

 private:
  void merge(const fs::path& file) {
    store::Store from(file);
    store::RaceFilter all;
    all.limit = std::numeric_limits<std::size_t>::max();
    std::vector<RaceRecord> races = from.races(all);
    std::ranges::reverse(races);  // oldest first, as they were raced
    for (const RaceRecord& race : races) {
      if (race.state == RaceState::running) {
        say("WARNING", fmt::format("race {} is still running: left out", race.id));
        continue;
      }
      ++(into_.copy_race(from, race.id) ? imported_ : known_);
    }
  }

  void rally_race(const fs::path& file) {
    const Json document = parse_json(content_of(file));
    if (document.is_discarded())
      throw UserError(fmt::format("{} is neither JSON nor a store", file.string()),
                      "known: Rally's race.json, a store of pacenote, a race exported with --format=store");
    const reporters::RacedSide raced = reporters::race_from_rally(document, file.string());
    store::RaceFilter all;
    all.limit = std::numeric_limits<std::size_t>::max();
    const auto same = [&](const RaceRecord& race) { return race.id == raced.race.id; };
    if (std::ranges::any_of(into_.races(all), same)) {
      ++known_;
      return;
    }
    into_.create_race(raced.race);
    into_.save_results(raced.race.id, raced.results);
    ++imported_;
  }

  store::Store into_;
  std::size_t imported_ = 0, known_ = 0;
};

ExitCode run_import(const ImportFlags& flags) {
  std::vector<fs::path> files;  // a file that is not there is said before the first is read
  for (const std::string& name : flags.files)
    for (fs::path& file : files_of(name)) files.push_back(std::move(file));
  Import import(flags.store);
  for (const fs::path& file : files) import.file(file);
  import.sum_up();
  return ExitCode::ok;
}

std::function<ExitCode()> add_import(CLI::App& command) {
  // Shared: CLI11 writes into it while it parses, the returned function reads it afterwards.
  const auto flags = std::make_shared<ImportFlags>();
  command
      .add_option(
          "files", flags->files,
          "Rally's race.json files or folders that hold them, stores of pacenote, races exported with "
          "--format=store.")
      ->required()
      ->type_name("FILE");
  add_store_flag(command, flags->store);
  return [flags] { return run_import(*flags); };
}

const Registered<Verb> import_verb{"import",
                                   {"Take races of Rally or of another store into the store.", add_import}};

}  // namespace
}  // namespace pacenote::cli
