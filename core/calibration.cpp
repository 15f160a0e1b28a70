#include "core/calibration.hpp"

#include <fstream>
#include <sstream>

#include "core/environment.hpp"

namespace pacenote {
namespace {

double figure(const Json& json, const char* key) {
  const auto it = json.find(key);
  return it != json.end() && it->is_number() ? it->get<double>() : 0;
}

}  // namespace

std::filesystem::path calibration_file() {
  return own_data_folder("set HOME, or XDG_DATA_HOME") / "calibration.json";
}

std::optional<Calibration> read_calibration(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  const Json json = parse_json(text.str());
  if (!json.is_object()) return std::nullopt;
  Calibration out;
  out.documents_per_s = figure(json, "documents-per-s");
  out.requests_per_s = figure(json, "requests-per-s");
  out.rate_reached = figure(json, "rate-reached");
  out.late_p50_ms = figure(json, "late-p50-ms");
  out.late_p99_ms = figure(json, "late-p99-ms");
  if (json.contains("date") && json["date"].is_string()) out.date = json["date"];
  return out;
}

Json to_json(const Calibration& calibration) {
  return {{"documents-per-s", calibration.documents_per_s}, {"requests-per-s", calibration.requests_per_s},
          {"rate-reached", calibration.rate_reached},       {"late-p50-ms", calibration.late_p50_ms},
          {"late-p99-ms", calibration.late_p99_ms},         {"date", calibration.date}};
}

}  // namespace pacenote
