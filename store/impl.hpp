// The inside of Store; store/*.cpp only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "store/database.hpp"
#include "store/store.hpp"

namespace pacenote::store {

struct Store::Impl {
  Impl(const std::filesystem::path& file, Duration patience, const std::atomic<bool>* hurried);
  /// The race's row number, by whole id. UserError if there is none.
  std::int64_t number(const std::string& race);
  [[noreturn]] void unknown(const std::string& race) const;

  Database database;
  std::map<std::string, std::int64_t> numbers;      ///< never reused (AUTOINCREMENT), so never stale
  std::map<std::int64_t, std::vector<bool>> named;  ///< [race][name id]: its text is in the file
};

}  // namespace pacenote::store
