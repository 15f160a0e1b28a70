// Rally's metric documents (behaviour F.3).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/throughput.hpp"
#include "reporters/rally.hpp"
#include "reporters/sample_order.hpp"

namespace pacenote::reporters {
namespace {

double to_ms(Duration duration) { return static_cast<double>(duration.count()) / 1e6; }

Json envelope(const RaceRecord& race, Instant at, Instant epoch, double relative_ms) {
  const auto since = std::chrono::round<std::chrono::milliseconds>(at - epoch);
  Json out = {{"@timestamp", (race.started + since).time_since_epoch().count()},
              {"relative-time", relative_ms},
              {"race-id", race.id},
              {"race-timestamp", basic_timestamp(race.started)},
              {"environment", "local"},
              {"track", race.track},
              {"challenge", race.challenge},
              {"car", race.car}};
  if (!race.track_params.empty()) out["track-params"] = race.track_params;
  return out;
}

Json cluster_meta(const RaceRecord& race) {
  Json meta = Json::object();
  for (const auto& [key, value] : race.user_tags.items()) meta[fmt::format("tag_{}", key)] = value;
  if (!race.cluster.revision.empty()) meta["source_revision"] = race.cluster.revision;
  if (!race.cluster.version.empty()) meta["distribution_version"] = race.cluster.version;
  if (!race.cluster.flavor.empty()) meta["distribution_flavor"] = race.cluster.flavor;
  return meta;
}

Json request_meta(Json meta, const Sample& sample, const Names& names) {
  meta["success"] = sample.ok;
  meta["client_id"] = static_cast<std::uint32_t>(sample.client);
  if (sample.took_ms >= 0) meta["took"] = sample.took_ms;
  if (sample.error != NameId::none) meta["error-description"] = names.text(sample.error);
  if (sample.status != 0) meta["http-status"] = sample.status;
  if (sample.items_ok + sample.items_failed > 0) {
    meta["success-count"] = sample.items_ok;
    meta["error-count"] = sample.items_failed;
  }
  const Json own = parse_json(names.text(sample.meta));
  if (own.is_object()) meta.update(own);
  return meta;
}

void put_measured(Json& document, const TaskResult& task, const char* name, double value,
                  std::string_view unit, SampleType type) {
  document["name"] = name;
  document["value"] = value;
  document["unit"] = unit;
  document["sample-type"] = type == SampleType::normal ? "normal" : "warmup";
  document["task"] = task.task;
  document["operation"] = task.operation;
  document["operation-type"] = task.operation_type;
}

/// When the task began, and each block.
struct Begins {
  Instant task = Instant::max();
  std::vector<Instant> blocks;
};

Begins begins_of(const SampleBlocks& samples) {
  Begins out;
  samples([&](std::span<const Sample> block) {
    out.blocks.push_back(Instant::max());
    for (const Sample& sample : block) {
      out.task = std::min({out.task, sample.begin, sample.throttled ? sample.due : sample.begin});
      out.blocks.back() = std::min(out.blocks.back(), sample.begin);
    }
  });
  return out;
}

std::vector<ThroughputPoint> points_of(const SampleBlocks& samples, const Begins& begins) {
  ThroughputCalculator calculator;
  SampleOrder in_order(begins.blocks);
  const auto add = [&](const Sample& sample) { calculator.add(throughput_sample(sample, begins.task)); };
  samples([&](std::span<const Sample> block) { in_order.add(block, add); });
  return calculator.end_call();
}

/// Its latency, service time and processing time.
std::string lines_of(Json document, const TaskResult& task, const Sample& sample) {
  std::string out;
  for (const auto& [name, time] : {std::pair("latency", sample.latency()),
                                   {"service_time", sample.service_time()},
                                   {"processing_time", sample.processing_time()}}) {
    put_measured(document, task, name, to_ms(time), "ms", sample.type);
    out += fmt::format("{}\n", to_text(document));
  }
  return out;
}

}  // namespace

void write_rally_documents(const RaceRecord& race, const TaskResult& task, const SampleBlocks& samples,
                           Instant epoch, const Names& names,
                           const std::function<void(const std::string&)>& write) {
  const Begins begins = begins_of(samples);
  const Json meta = cluster_meta(race);
  SampleOrder in_order(begins.blocks);
  const auto write_sample = [&](const Sample& sample) {
    Json document = envelope(race, sample.begin, epoch, to_ms(sample.sent - begins.task));
    document["meta"] = request_meta(meta, sample, names);
    write(lines_of(std::move(document), task, sample));
  };
  samples([&](std::span<const Sample> block) { in_order.add(block, write_sample); });
  for (const ThroughputPoint& point : points_of(samples, begins)) {
    Json document =
        envelope(race, begins.task + from_seconds(point.absolute_time), epoch, point.relative_time * 1e3);
    document["meta"] = meta;
    put_measured(document, task, "throughput", point.value, fmt::format("{}/s", names.text(point.unit)),
                 point.type);
    write(fmt::format("{}\n", to_text(document)));
  }
}

std::string rally_document(const RaceRecord& race, const Metric& metric, Instant epoch) {
  Json document = envelope(race, metric.at, epoch, to_ms(metric.at - epoch));
  document["name"] = metric.name;
  if (metric.value) document["value"] = *metric.value;
  if (metric.value) document["unit"] = metric.unit.empty() ? Json(nullptr) : Json(metric.unit);
  if (!metric.task.empty()) document["task"] = metric.task;
  document["sample-type"] = "normal";
  if (metric.fields.is_object()) {
    for (const auto& [key, value] : metric.fields.items()) {
      if (!document.contains(key)) document[key] = value;
    }
  }
  Json meta = cluster_meta(race);
  if (!metric.node.empty()) meta["node_name"] = metric.node;
  document["meta"] = std::move(meta);
  return fmt::format("{}\n", to_text(document));
}

}  // namespace pacenote::reporters
