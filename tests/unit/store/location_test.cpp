#include <cstdlib>
#include <map>

#include "core/error.hpp"
#include "store/store.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::location_test {

using Environment = std::map<std::string, std::string>;

std::filesystem::path default_with(const Environment& environment) {
  Environment before;
  for (const char* name : {"PACENOTE_STORE", "XDG_DATA_HOME", "HOME"}) {
    if (const char* value = std::getenv(name)) before[name] = value;
    ::unsetenv(name);
  }
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::filesystem::path file;
  try {
    file = pacenote::store::default_file();
  } catch (const pacenote::UserError& error) {
    file = error.what();
  }
  for (const char* name : {"PACENOTE_STORE", "XDG_DATA_HOME", "HOME"}) ::unsetenv(name);
  for (const auto& [name, value] : before) ::setenv(name.c_str(), value.c_str(), 1);
  return file;
}

TEST_CASE("the store lies where the environment says", "[location]") {
  Environment all{{"PACENOTE_STORE", "my.db"}, {"XDG_DATA_HOME", "/data"}, {"HOME", "/home/me"}};
  CHECK(default_with(all) == "my.db");
  all["PACENOTE_STORE"] = "";
  CHECK(default_with(all) == "/data/pacenote/races.db");
  all["XDG_DATA_HOME"] = "relative";
  CHECK(default_with(all) == "/home/me/.local/share/pacenote/races.db");
  CHECK(default_with({}).string().find("HOME is not set") != std::string::npos);
}

}  // namespace pacenote::location_test
