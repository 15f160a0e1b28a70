// The house: core in the middle, spokes that do not know each other, cli around them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"

namespace pacenote::layering_test {

namespace fs = std::filesystem;

TEST_CASE("core knows nobody, spokes know core, only cli knows them all", "[layering]") {
  const std::map<std::string, std::set<std::string>> may_include = {
      {"core", {"core"}},
      {"tracks", {"tracks", "core"}},
      {"telemetry", {"telemetry", "core"}},
      {"reporters", {"reporters", "core"}},
      {"store", {"store", "core"}},
      {"cli", {"cli", "tracks", "telemetry", "reporters", "store", "core"}}};
  const std::regex include(R"re(^\s*#include "([a-z]+)/)re");
  int files = 0;
  for (const auto& [folder, allowed] : may_include) {
    for (const auto& entry : fs::recursive_directory_iterator(pacenote::test::source_folder() / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".hpp" && extension != ".cpp") continue;
      ++files;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        std::smatch found;
        if (!std::regex_search(line, found, include)) continue;
        INFO(entry.path() << ": " << line);
        CHECK(allowed.count(found[1]) == 1);
      }
    }
  }
  CHECK(files > 50);
}

TEST_CASE("the big libraries are included where they are named, and nowhere else", "[layering]") {
  const std::map<std::string, std::string> homes = {
      {"boost/beast", R"(core/(answer|asio_impl)|core/sandbox/)"},
      {"SQLiteCpp", R"(store/)"},
      {"valijson", R"(tracks/)"},
      {"archive.h", R"(tracks/)"},
      {"CLI/CLI.hpp", R"(cli/)"}};
  for (const auto& [library, home] : homes) {
    for (const char* folder : {"core", "tracks", "telemetry", "reporters", "store", "cli"}) {
      for (const auto& entry : fs::recursive_directory_iterator(pacenote::test::source_folder() / folder)) {
        if (!entry.is_regular_file()) continue;
        const std::string path = fs::relative(entry.path(), pacenote::test::source_folder());
        std::ifstream in(entry.path());
        for (std::string line; std::getline(in, line);) {
          if (line.find("#include <" + library) == std::string::npos) continue;
          INFO(path << ": " << line);
          CHECK(std::regex_search(path, std::regex("^(" + home + ")")));
        }
      }
    }
  }
}

TEST_CASE("the list of promises names tests that there are", "[layering]") {
  const fs::path tests = pacenote::test::source_folder() / "tests";
  std::string all;
  for (const auto& entry : fs::recursive_directory_iterator(tests))
    if (entry.path().filename().string().find("_test.") != std::string::npos)
      all += pacenote::test::read_file(entry.path());
  const std::string list = pacenote::test::read_file(tests / "README.md");
  const std::regex in_backticks("`([^`]+)`");
  int named = 0;
  for (std::sregex_iterator it(list.begin(), list.end(), in_backticks), end; it != end; ++it) {
    const std::string name = (*it)[1];
    const bool integration = name.starts_with("test_");
    if (!integration && std::count(name.begin(), name.end(), ' ') < 2) continue;  // a flag, a folder
    ++named;
    INFO(name);
    CHECK(all.find(integration ? "def " + name + "(" : "TEST_CASE(\"" + name + "\"") != std::string::npos);
  }
  CHECK(named > 50);
}

}  // namespace pacenote::layering_test
