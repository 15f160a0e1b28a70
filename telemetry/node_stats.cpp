// Rally's node-stats device (rally telemetry.py, NodeStats): each node's numbers, flattened, every second.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <vector>

#include "core/text.hpp"
#include "telemetry/ask.hpp"
#include "telemetry/params.hpp"

namespace pacenote::telemetry {
namespace {

constexpr const char* kInterval = "node-stats-sample-interval";
constexpr const char* kIndices = "node-stats-include-indices";
constexpr const char* kIndicesMetrics = "node-stats-include-indices-metrics";

/// A part of a node's answer: where it lies and under which prefix its numbers go. `outer` may be empty.
struct Section {
  const char *flag, *outer, *inner, *prefix;
};
constexpr std::array<Section, 11> kSections{{
    {"node-stats-include-thread-pools", "", "thread_pool", "thread_pool"},
    {"node-stats-include-breakers", "", "breakers", "breakers"},
    {"node-stats-include-buffer-pools", "jvm", "buffer_pools", "jvm_buffer_pools"},
    {"node-stats-include-mem", "jvm", "mem", "jvm_mem"},
    {"node-stats-include-mem", "os", "mem", "os_mem"},
    {"node-stats-include-cgroup", "os", "cgroup", "os_cgroup"},
    {"node-stats-include-gc", "jvm", "gc", "jvm_gc"},
    {"node-stats-include-network", "", "transport", "transport"},
    {"node-stats-include-process", "process", "cpu", "process_cpu"},
    {"node-stats-include-indexing-pressure", "", "indexing_pressure", "indexing_pressure"},
    {"node-stats-include-fs", "", "fs", "fs"},
}};
constexpr std::array<const char*, 12> kIndexSections{"docs",      "store",    "indexing", "search",
                                                     "merges",    "refresh",  "flush",    "query_cache",
                                                     "fielddata", "segments", "translog", "request_cache"};

/// Numbers only: booleans, texts and lists are dropped.
void flatten(const std::string& prefix, const Json& from, Json& into) {
  for (const auto& [key, value] : from.items()) {
    const std::string name = fmt::format("{}_{}", prefix, key);
    if (value.is_object())
      flatten(name, value, into);
    else if (value.is_number())
      into[name] = value;
  }
}

struct Choice {
  Duration every = std::chrono::seconds(1);
  std::vector<Section> sections;
  std::vector<std::string> index_sections;
};

class NodeStats final : public TelemetryDevice {
 public:
  explicit NodeStats(Choice choice) : choice_(std::move(choice)) {}
  std::optional<Duration> interval() const override { return choice_.every; }
  Async<void> poll(Probe& probe, When when) override {
    if (when != When::interval) co_return;
    const std::optional<Json> answer = co_await ask(probe, "/_nodes/stats/_all");
    if (!answer) co_return;
    for (const auto& [id, node] : object(*answer, {"nodes"}).items())
      put_document(probe, "node-stats", text(node, {"name"}), fields_of(node));
  }

 private:
  Json fields_of(const Json& node) const {
    Json fields = Json::object();
    if (const Json* roles = find(node, {"roles"}); roles != nullptr && roles->is_array())
      fields["roles"] = *roles;
    for (const std::string& section : choice_.index_sections)
      flatten(fmt::format("indices_{}", section), object(node, {"indices", section}), fields);
    for (const Section& section : choice_.sections) {
      const Json& outer = *section.outer == '\0' ? node : object(node, {section.outer});
      flatten(section.prefix, object(outer, {section.inner}), fields);
    }
    return fields;
  }

  Choice choice_;
};

std::vector<std::string> parameters() {
  std::vector<std::string> out{kInterval, kIndices, kIndicesMetrics};
  for (const Section& section : kSections)
    if (out.back() != section.flag) out.emplace_back(section.flag);  // one flag may stand for two sections
  return out;
}

/// A list, or names with commas between them.
std::vector<std::string> index_sections(const Json& params) {
  const auto it = params.find(kIndicesMetrics);
  std::vector<std::string> out;
  if (it == params.end() || it->is_null()) {
    if (flag(params, kIndices, false)) out.assign(kIndexSections.begin(), kIndexSections.end());
    return out;
  }
  const auto wrong = [&it] {
    return UserError(fmt::format("The telemetry parameter [{}] must name sections of index stats, but is {}",
                                 kIndicesMetrics, to_text(*it)),
                     "Write it as docs,store,indexing or as a list of texts.");
  };
  if (it->is_array()) {
    for (const Json& name : *it) {
      if (!name.is_string()) throw wrong();
      out.push_back(name.get<std::string>());
    }
    return out;
  }
  if (!it->is_string()) throw wrong();
  const auto all = it->get<std::string>();
  for (std::size_t from = 0; from <= all.size();) {
    const std::size_t comma = std::min(all.find(',', from), all.size());
    const std::string_view name = trimmed(std::string_view(all).substr(from, comma - from));
    if (!name.empty()) out.emplace_back(name);
    from = comma + 1;
  }
  return out;
}

std::unique_ptr<TelemetryDevice> make_node_stats(const Json& params, const Track&) {
  Choice choice;
  choice.every = period(params, kInterval, std::chrono::seconds(1));
  choice.index_sections = index_sections(params);
  for (const Section& section : kSections)
    if (flag(params, section.flag, true)) choice.sections.push_back(section);
  return std::make_unique<NodeStats>(std::move(choice));
}

const Registered<DeviceType> node_stats_device{
    "node-stats",
    {"Thread pools, memory, GC, breakers, network … of each node, every second", false, make_node_stats,
     parameters()}};

}  // namespace
}  // namespace pacenote::telemetry
