// What the tests against Rally's tables share.
#pragma once

#include <iostream>
#include <map>
#include <string>
#include <utility>

#include "reporters/summary.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"

namespace pacenote::reporters {

/// Where pacenote differs on purpose: case -> what of it ("all" or a part's name), and why.
class Differences {
 public:
  using Map = std::map<std::string, std::pair<std::string, std::string>>;
  explicit Differences(Map map) : map_(std::move(map)) {}
  bool lists(const std::string& id) const { return map_.contains(id); }
  bool lists(const std::string& id, const std::string& part) const {
    const auto it = map_.find(id);
    return it != map_.end() && (it->second.first == "all" || it->second.first == part);
  }

 private:
  Map map_;
};

/// Calls use(case, id) for each case of a file of vectors, and prints how many pass and how many differ on
/// purpose.
template <class Use>
void each_case(const std::string& name, const Differences& differences, const Use& use) {
  const auto file = test::shared("rally/vectors/" + name + "/" + name + ".json");
  if (!file) return;
  std::size_t passed = 0, listed = 0;
  const Json document = test::read_json(*file);
  for (const Json& one : document["cases"]) {
    const std::string id = one["id"];
    INFO(id);
    differences.lists(id) ? ++listed : ++passed;
    if (!differences.lists(id, "all")) use(one, id);
  }
  std::cout << "vectors " << name << ": " << passed << " pass, " << listed << " listed differences\n";
}

inline std::string written(const std::string& format, const Table& table, const std::string& align,
                           bool colours = false) {
  return Registry<Format>::get("format", format).write(table, {align_from(align), colours});
}

inline Results golden_results(const std::filesystem::path& folder, const std::string& race) {
  const Json document = test::read_json(folder / "rally-races" / race / "race.json");
  return results_from_json(document["results"]);
}

}  // namespace pacenote::reporters
