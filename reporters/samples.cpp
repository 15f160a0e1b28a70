#include "reporters/samples.hpp"

#include <fmt/format.h>

#include "core/json.hpp"
#include "reporters/csv.hpp"
#include "reporters/numbers.hpp"

namespace pacenote::reporters {
namespace {

double ms(Duration duration) { return static_cast<double>(duration.count()) / 1e6; }

Json fields(const Sample& sample, Instant epoch, std::string_view task, const Names& names) {
  const auto text = [&](NameId id) { return id == NameId::none ? Json(nullptr) : Json(names.text(id)); };
  return {{"task", task},
          {"client", static_cast<std::uint32_t>(sample.client)},
          {"sample_type", sample.type == SampleType::normal ? "normal" : "warmup"},
          {"relative_ms", ms(sample.begin - epoch)},
          {"due_ms", ms(sample.due - epoch)},
          {"latency_ms", ms(sample.latency())},
          {"service_time_ms", ms(sample.service_time())},
          {"processing_time_ms", ms(sample.processing_time())},
          {"throttled", sample.throttled},
          {"success", sample.ok},
          {"status", sample.status},
          {"weight", sample.weight},
          {"unit", text(sample.unit)},
          {"attempts", sample.attempts},
          {"connection_reused", sample.reused},
          {"took_ms", sample.took_ms < 0 ? Json(nullptr) : Json(sample.took_ms)},
          {"bytes_out", sample.bytes_out},
          {"bytes_in", sample.bytes_in},
          {"items_ok", sample.items_ok},
          {"items_failed", sample.items_failed},
          {"error", text(sample.error)},
          {"meta", text(sample.meta)}};
}

std::string csv_text(const Json& value, bool raw) {
  if (value.is_null()) return {};
  if (value.is_string())
    return csv_field(raw ? value.get<std::string>() : harmless(value.get<std::string>()));
  return value.is_number_float() ? shortest(value.get<double>()) : to_text(value);
}

}  // namespace

std::string sample_header(SampleFormat format) {
  if (format == SampleFormat::json) return {};
  const Json example = fields(Sample(), Instant(), "", Names());
  std::string out;
  for (const auto& [name, value] : example.items()) {
    out += fmt::format("{}{}", out.empty() ? "" : ",", name);
  }
  return fmt::format("{}\r\n", out);
}

std::string sample_line(const Sample& sample, Instant epoch, std::string_view task, const Names& names,
                        SampleFormat format, bool raw) {
  const Json values = fields(sample, epoch, task, names);
  if (format == SampleFormat::json) return fmt::format("{}\n", to_text(values));
  std::string out;
  bool first = true;
  for (const auto& [name, value] : values.items()) {
    out += fmt::format("{}{}", first ? "" : ",", csv_text(value, raw));
    first = false;
  }
  return fmt::format("{}\r\n", out);
}

}  // namespace pacenote::reporters
