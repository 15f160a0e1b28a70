#include "tracks/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tracks/generator.hpp"
#include "tracks/used.hpp"

namespace pacenote::tracks {
namespace {

double number_of(const Json& params, const char* key, double otherwise) {
  const Json value = params.value(key, Json());
  if (value.is_number()) return value.get<double>();
  double number = otherwise;  // numbers may stand as text
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    std::from_chars(text.data(), text.data() + text.size(), number);
  }
  return number;
}

/// Documents and requests of a bulk task that reads its corpora to the end.
void add_bulk(const Track& track, const Task& task, Estimate& out) {
  std::uint64_t documents = 0;
  for (const Documents* one : used_by(track, task)) documents += one->count;
  const Json& params = task.operation.params;
  const double share = number_of(params, "ingest-percentage", 100) / 100;
  double sent = static_cast<double>(documents) * share;
  sent = number_of(params, "ingest-doc-count", sent);
  out.documents += static_cast<std::uint64_t>(std::llround(sent));
  out.requests +=
      static_cast<std::uint64_t>(std::ceil(sent / std::max(number_of(params, "bulk-size", 1), 1.0)));
}

double seconds_of(const std::optional<Duration>& period) {
  return period ? std::chrono::duration<double>(*period).count() : 0;
}

void add_task(const Track& track, const Task& task, Estimate& out) {
  if (task.operation.type == "bulk" && !task.limits.iterations && !task.limits.period)
    return add_bulk(track, task, out);
  if (task.limits.period) {
    const double period = seconds_of(task.limits.warmup) + seconds_of(task.limits.period);
    if (task.target && task.target->unit == "ops")
      out.requests += static_cast<std::uint64_t>(std::llround(period * task.target->per_second));
    else
      ++out.timed_tasks;
    return;
  }
  out.requests +=
      task.clients * (task.limits.warmup_iterations.value_or(0) + task.limits.iterations.value_or(1));
}

}  // namespace

Estimate estimate(const Track& track, const Challenge& challenge) {
  Estimate out;
  for (const Documents* documents : used_by(track, challenge)) {
    const bool generated = !documents->generator.is_null() && !documents->uncompressed_bytes;
    out.generated = out.generated || generated;
    out.sizes_known = out.sizes_known && (generated || documents->uncompressed_bytes);
    out.unpacked_bytes +=
        documents->uncompressed_bytes.value_or(generated ? documents->count * kUsualGeneratedBytes : 0);
    if (!documents->archive.empty()) out.packed_bytes += documents->compressed_bytes.value_or(0);
  }
  for (const Parallel& step : challenge.schedule) {
    double longest = 0;
    for (const Task& task : step.tasks) {
      add_task(track, task, out);
      longest = std::max(longest, seconds_of(task.limits.warmup) + seconds_of(task.limits.period));
    }
    out.seconds += static_cast<std::uint64_t>(longest);
  }
  return out;
}

std::string readable_bytes(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  double amount = static_cast<double>(bytes);
  const char* unit = "";
  for (const char* larger : {"kB", "MB", "GB", "TB"}) {
    if (amount < 1000) break;
    amount /= 1000;
    unit = larger;
  }
  return fmt::format("{:.1f} {}", amount, unit);
}

}  // namespace pacenote::tracks
