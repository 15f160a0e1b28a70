// All that the sandbox's cluster remembers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/sandbox/index.hpp"
#include "core/sandbox/server.hpp"

namespace pacenote::sandbox {

/// One node's own counters; those of its shards are added when asked for.
struct NodeCounters {
  std::string id, name;
  std::uint64_t bytes_in = 0;  ///< of documents, for the garbage collector's sake
  std::uint64_t bulks = 0, searches = 0;
};

/// A force-merge that was asked for with wait_for_completion=false.
struct Task {
  std::uint64_t id = 0;
  std::string action, description;
  std::int64_t started_ms = 0;  ///< wall clock
  Instant started{}, ends{};
  Json response;
};

struct Scroll {
  std::vector<std::string> indices;
  Json body;
  std::uint64_t from = 0, size = 10;
};

/// What was there when a point in time was opened: documents below these sequence numbers.
struct PointInTime {
  std::map<std::string, std::vector<std::uint64_t>> ends;  ///< by index and shard; 0: the shard is left out
};

struct DataStream {
  std::string name, template_name;
  std::vector<std::string> indices;
};

struct IngestCounters {
  std::uint64_t count = 0, failed = 0;
  Duration time{};
};

struct State {
  Flavor flavor = Flavor::elasticsearch_8;
  std::uint16_t port = 0;
  std::string cluster_name = "sandbox", cluster_uuid;
  std::vector<NodeCounters> nodes;
  std::map<std::string, Index> indices;
  std::map<std::string, Json> legacy_templates, index_templates, component_templates, pipelines;
  std::map<std::string, IngestCounters> ingest;  ///< by pipeline
  std::map<std::string, DataStream> data_streams;
  Json persistent = Json::object(), transient = Json::object();  ///< flat
  std::map<std::uint64_t, Task> tasks;
  std::map<std::string, Scroll> scrolls;
  std::map<std::string, PointInTime> points_in_time;
  std::uint64_t next_number = 1;  ///< ids of tasks, scrolls, documents, indices
  Instant started{};
  std::int64_t started_ms = 0;

  bool opensearch() const { return flavor == Flavor::opensearch_2; }
  std::int64_t now_ms(Instant now) const {
    return started_ms + std::chrono::duration_cast<std::chrono::milliseconds>(now - started).count();
  }
  std::uint32_t assigned_replicas(const Index& index) const {
    return std::min(index.replicas, static_cast<std::uint32_t>(nodes.size()) - 1);
  }
  /// Where a copy lies; copy 0 is the primary.
  std::size_t node_of(const Index& index, std::size_t shard, std::size_t copy) const {
    return (std::hash<std::string>()(index.name) + shard + copy) % nodes.size();
  }
};

/// 22 or 20 characters as the products make ids; the same number gives the same text.
std::string make_uuid(std::uint64_t number);
std::string make_document_id(std::uint64_t number);

}  // namespace pacenote::sandbox
