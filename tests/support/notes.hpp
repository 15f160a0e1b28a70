#pragma once

#include <string>
#include <vector>

#include "core/notes.hpp"

namespace pacenote::test {

/// Keeps what was said. One thread.
class KeptNotes final : public Notes {
 public:
  void info(const std::string& text) override { infos.push_back(text); }
  void warning(const std::string& text) override { warnings.push_back(text); }
  std::vector<std::string> infos, warnings;
};

}  // namespace pacenote::test
