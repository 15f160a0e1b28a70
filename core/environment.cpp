#include "core/environment.hpp"

#include <cstdlib>

#include "core/error.hpp"

namespace pacenote {

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::filesystem::path own_data_folder(const std::string& hint) {
  const std::filesystem::path data = environment_variable("XDG_DATA_HOME");
  if (data.is_absolute()) return data / "pacenote";
  const std::filesystem::path home = environment_variable("HOME");
  if (home.empty()) throw UserError("there is no home folder for data: HOME is not set", hint);
  return home / ".local" / "share" / "pacenote";
}

}  // namespace pacenote
