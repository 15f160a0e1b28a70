// Failed requests by kind: the first of a kind is shown at once, the others are counted (case O2).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/runner.hpp"

namespace pacenote::cli {

/// A kind is a task with an error text in which numbers do not count. One thread.
class ErrorGroups {
 public:
  /// The line for this error if it is the first of its kind. At most 20 kinds are told apart, all others are
  /// one.
  std::optional<std::string> add(std::string_view task, const Outcome& outcome);
  /// A line for each kind that came more than once. Forgets all kinds.
  std::vector<std::string> take_counts();

 private:
  struct Group {
    std::string task, text;
    std::uint64_t count = 0, documents = 0;  ///< requests, and documents of bulks in them
  };
  std::map<std::string, Group> groups_;
};

}  // namespace pacenote::cli
