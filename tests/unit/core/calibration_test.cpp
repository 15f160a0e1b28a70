#include "core/calibration.hpp"

#include <fstream>

#include "tests/support/catch.hpp"

namespace pacenote::calibration_test {

TEST_CASE("a calibration goes to its file and back", "[calibration]") {
  const auto file = std::filesystem::temp_directory_path() / "pacenote-calibration-test.json";
  Calibration found{8e6, 61'000, 0.999, 0.012, 0.2, "2026-11-30"};
  std::ofstream(file) << to_text(to_json(found));
  const auto read = read_calibration(file);
  REQUIRE(read);
  CHECK(to_text(to_json(*read)) == to_text(to_json(found)));
  CHECK(read->limit("docs/s") == 8e6);
  CHECK(read->limit("ops/s") == 61'000);
  std::ofstream(file) << "no json";
  CHECK_FALSE(read_calibration(file));
  std::filesystem::remove(file);
  CHECK_FALSE(read_calibration(file));
}

}  // namespace pacenote::calibration_test
