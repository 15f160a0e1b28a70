// Texts approved by people: tests/golden holds them, `APPROVE=1` rewrites them, the diff is reviewed.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"

namespace pacenote::test {

/// Checks that `text` is tests/golden/`name`.
inline void approve(const std::string& name, const std::string& text) {
  const std::filesystem::path file = source_folder() / "tests" / "golden" / name;
  if (std::getenv("APPROVE") != nullptr) std::ofstream(file, std::ios::binary) << text;
  INFO(file.string());
  CHECK(read_file(file) == text);
}

}  // namespace pacenote::test
