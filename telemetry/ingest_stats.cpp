// Rally's IngestPipelineStats (rally telemetry.py): what ingest pipelines did during the race, by node,
// pipeline and processor.
#include <fmt/format.h>

#include <map>
#include <optional>

#include "telemetry/ask.hpp"

namespace pacenote::telemetry {
namespace {

struct Work {
  double count = 0, time_ms = 0, failed = 0;
};

Work operator-(const Work& a, const Work& b) {
  return Work{a.count - b.count, a.time_ms - b.time_ms, a.failed - b.failed};
}

void operator+=(Work& a, const Work& b) {
  a.count += b.count;
  a.time_ms += b.time_ms;
  a.failed += b.failed;
}

Work work_of(const Json& stats) {
  return Work{number(stats, {"count"}).value_or(0), number(stats, {"time_in_millis"}).value_or(0),
              number(stats, {"failed"}).value_or(0)};
}

struct Processor {
  std::string type;
  Work work;
};
struct Pipeline {
  Work work;
  std::map<std::string, Processor> processors;  // by name and position: "set_1"
};
struct Node {
  std::string name;
  Work work;
  std::map<std::string, Pipeline> pipelines;
};

Pipeline pipeline_of(const Json& stats) {
  Pipeline out;
  out.work = work_of(stats);
  const Json* processors = find(stats, {"processors"});
  if (processors == nullptr || !processors->is_array()) return out;
  std::size_t position = 0;
  for (const Json& entry : *processors) {
    ++position;
    if (!entry.is_object()) continue;
    for (const auto& [name, processor] : entry.items()) {
      const bool nested = find(processor, {"stats"}) != nullptr;  // flat before Elasticsearch 7.6
      Processor& made = out.processors[fmt::format("{}_{}", name, position)];
      made.type = nested ? text(processor, {"type"}) : name.substr(0, name.find(':'));
      made.work = work_of(nested ? object(processor, {"stats"}) : processor);
    }
  }
  return out;
}

/// Nodes without an `ingest` block are left out.
std::map<std::string, Node> nodes_of(const Json& answer) {
  std::map<std::string, Node> out;
  for (const auto& [id, stats] : object(answer, {"nodes"}).items()) {
    const Json* ingest = find(stats, {"ingest"});
    if (ingest == nullptr || !ingest->is_object()) continue;
    Node& node = out[id];
    node.name = text(stats, {"name"});
    node.work = work_of(object(*ingest, {"total"}));
    for (const auto& [name, pipeline] : object(*ingest, {"pipelines"}).items())
      node.pipelines[name] = pipeline_of(pipeline);
  }
  return out;
}

void add(Probe& probe, const char* level, const Work& work, const std::string& node, const Json& fields) {
  put(probe, fmt::format("ingest_pipeline_{}_count", level), work.count, "", node, fields);
  put(probe, fmt::format("ingest_pipeline_{}_time", level), work.time_ms, "ms", node, fields);
  put(probe, fmt::format("ingest_pipeline_{}_failed", level), work.failed, "", node, fields);
}

void add_pipeline(Probe& probe, const std::string& name, const Pipeline& after, const Pipeline& before,
                  const std::string& node) {
  Json fields = Json::object();
  fields["pipeline_name"] = name;
  add(probe, "pipeline", after.work - before.work, node, fields);
  for (const auto& [key, processor] : after.processors) {
    const auto was = before.processors.find(key);
    const Work spent = was == before.processors.end() ? processor.work : processor.work - was->second.work;
    Json named = Json::object();
    named["processor_name"] = key;
    named["type"] = processor.type;
    named["pipeline_name"] = name;
    add(probe, "processor", spent, node, named);
  }
}

class IngestStats final : public TelemetryDevice {
 public:
  Async<void> poll(Probe& probe, When when) override {
    const std::optional<Json> answer = co_await ask(probe, "/_nodes/stats/ingest");
    if (!answer) co_return;
    if (when == When::start)
      start_ = nodes_of(*answer);
    else
      finish(probe, nodes_of(*answer));
  }

 private:
  void finish(Probe& probe, const std::map<std::string, Node>& nodes) const {
    std::optional<Work> cluster;
    for (const auto& [id, node] : nodes) {
      const auto before = start_.find(id);
      if (before == start_.end()) continue;  // came later: its figures are not those of the race
      const Work spent = node.work - before->second.work;
      if (!cluster) cluster.emplace();
      *cluster += spent;
      add(probe, "node", spent, node.name, Json());
      for (const auto& [name, pipeline] : node.pipelines) {
        const auto was = before->second.pipelines.find(name);
        add_pipeline(probe, name, pipeline, was == before->second.pipelines.end() ? Pipeline() : was->second,
                     node.name);
      }
    }
    if (cluster) add(probe, "cluster", *cluster, {}, Json());
  }

  std::map<std::string, Node> start_;  // by node id
};

std::unique_ptr<TelemetryDevice> make_ingest_stats(const Json&, const Track&) {
  return std::make_unique<IngestStats>();
}

const Registered<DeviceType> ingest_stats_device{
    "ingest-pipeline-stats", {"What ingest pipelines did during the race", true, make_ingest_stats}};

}  // namespace
}  // namespace pacenote::telemetry
