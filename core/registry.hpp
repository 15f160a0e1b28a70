// Named parts that put themselves on the list: an operation type, a telemetry device, a report format, a
// verb.
#pragma once

#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/suggest.hpp"

namespace pacenote {

/// All parts of one kind, sorted by name. Filled before main, read-only afterwards, so readable from any
/// thread.
template <class Part>
class Registry {
 public:
  static std::map<std::string, Part>& all() {
    static std::map<std::string, Part> parts;
    return parts;
  }
  static std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const auto& [name, part] : all()) out.push_back(name);
    return out;
  }
  static const Part* find(const std::string& name) {
    const auto it = all().find(name);
    return it == all().end() ? nullptr : &it->second;
  }
  /// `kind` is for the message: UserError "unknown <kind> [name]" with the nearest name as hint.
  static const Part& get(const std::string& kind, const std::string& name) {
    if (const Part* part = find(name)) return *part;
    throw UserError("unknown " + kind + " [" + name + "]", suggestion(name, names()));
  }
};

/// A file-local constant of this type, as the last line of a file, registers it. A name used twice is our
/// bug.
template <class Part>
struct Registered {
  Registered(std::string name, Part part) {
    if (!Registry<Part>::all().emplace(std::move(name), std::move(part)).second) std::abort();
  }
};

}  // namespace pacenote
