#include "core/environment.hpp"
#include "store/store.hpp"

namespace pacenote::store {

std::filesystem::path default_file() {
  if (const std::string file = environment_variable("PACENOTE_STORE"); !file.empty()) return file;
  return own_data_folder("Name a file with --store, or set PACENOTE_STORE.") / "races.db";
}

}  // namespace pacenote::store
