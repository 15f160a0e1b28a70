#include <cstdlib>

#include "core/error.hpp"
#include "store/store.hpp"

namespace pacenote::store {
namespace {

std::filesystem::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path default_file() {
  if (const auto file = variable("PACENOTE_STORE"); !file.empty()) return file;
  // A relative path is to be ignored: XDG Base Directory Specification.
  if (const auto data = variable("XDG_DATA_HOME"); data.is_absolute()) return data / "pacenote" / "races.db";
  const auto home = variable("HOME");
  if (home.empty()) {
    throw UserError("no place for the store: none of PACENOTE_STORE, XDG_DATA_HOME and HOME is set",
                    "Name a file with --store.");
  }
  return home / ".local" / "share" / "pacenote" / "races.db";
}

}  // namespace pacenote::store
