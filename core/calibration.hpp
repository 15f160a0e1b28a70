// What this machine can drive, measured by `pacenote calibrate` against a server that does nothing.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/json.hpp"

namespace pacenote {

struct Calibration {
  double documents_per_s = 0, requests_per_s = 0;
  double rate_reached = 0;                  ///< of an open loop of 10,000 requests a second, in [0, 1]
  double late_p50_ms = 0, late_p99_ms = 0;  ///< how late its requests were sent
  std::string date;                         ///< "2026-11-30"

  /// The limit for work in this unit ("docs/s", else any request counts); 0: not measured.
  double limit(const std::string& throughput_unit) const {
    return throughput_unit == "docs/s" ? documents_per_s : requests_per_s;
  }
};

/// In pacenote's own data folder (environment.hpp).
std::filesystem::path calibration_file();
/// None where the machine was not calibrated, or the file cannot be read.
std::optional<Calibration> read_calibration(const std::filesystem::path& file);
Json to_json(const Calibration& calibration);

}  // namespace pacenote
