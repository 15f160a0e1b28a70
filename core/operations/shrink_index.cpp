// Indices with fewer shards. Elasticsearch: "Shrink index API". Source indices lose their replicas' places
// and take no more writes, as the engine wants it.
#include <fmt/format.h>

#include <algorithm>

#include "core/operations/condition.hpp"
#include "core/operations/planned.hpp"
#include "core/operations/steps.hpp"
#include "core/retry.hpp"

namespace pacenote {
namespace {

constexpr Duration kSettle = std::chrono::seconds(3);  // as Rally: until shards begin to move
constexpr const char* kOnNode = "index.routing.allocation.require._name";
constexpr const char* kNoWrites = "index.blocks.write";

/// Of several sources each target's name ends as the source's does beyond what all of them begin with.
std::size_t common_prefix(const std::vector<std::string>& names) {
  std::size_t length = names.front().size();
  for (const std::string& name : names) {
    length = std::min(length, name.size());
    while (name.compare(0, length, names.front(), 0, length) != 0) --length;
  }
  return length;
}

std::string data_node(std::string_view body) {
  const Json nodes = value_at(parse_json(body), "nodes");
  if (!nodes.is_object()) return {};
  for (const auto& [id, node] : nodes.items()) {
    const Json roles = list_at(node, "roles");
    if (std::find(roles.begin(), roles.end(), Json("data")) != roles.end()) return text_at(node, "name");
  }
  return {};
}

/// The target's body without what only its source needed.
std::string target_text(const Fields& params) {
  Json body = params.object("target-body");
  Json settings = body.value("settings", Json::object());
  settings[kOnNode] = nullptr;
  settings[kNoWrites] = nullptr;
  body["settings"] = settings;
  return to_text(body);
}

class ShrinkIndex final : public Runner {
 public:
  explicit ShrinkIndex(const Operation& operation) : operation_(operation.name) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    const std::string source = params.mandatory_text("source-index");
    const std::string target = params.mandatory_text("target-index");
    params.mandatory("target-body");
    Steps steps(bench, call);
    std::vector<std::string> names;
    std::string look = fmt::format("/{}", url_encode(source));
    const Response found = co_await steps.send(Method::get, std::move(look));
    if (!steps.accept(found)) co_return std::move(steps.outcome());
    const Json indices = parse_json(found.body);
    if (indices.is_object())
      for (const auto& [name, index] : indices.items()) names.push_back(name);
    std::string node = params.text("shrink-node", "");
    if (node.empty()) {
      const Response nodes = co_await steps.send(Method::get, "/_nodes");
      if (!steps.accept(nodes)) co_return std::move(steps.outcome());
      node = data_node(nodes.body);
    }
    if (node.empty() || names.empty())
      steps.fail("condition", names.empty() ? fmt::format("there is no index {}", source)
                                            : std::string("the cluster has no data node"));
    const std::size_t shared = names.size() > 1 ? common_prefix(names) : 0;
    for (const std::string& name : names) {
      if (steps.failed() || steps.stopped()) break;
      std::string to = names.size() > 1 ? target + name.substr(shared) : target;
      co_await shrink_one(bench, steps, params, name, std::move(to), node);
    }
    co_return steps.weighing(static_cast<double>(names.size()));
  }

 private:
  static Async<void> shrink_one(Bench& bench, Steps& steps, const Fields& params, std::string from,
                                std::string to, std::string node) {
    const Json settings = {{"settings", {{kOnNode, node}, {kNoWrites, "true"}}}};
    std::string text = to_text(settings);
    std::string target = fmt::format("/{}/_settings?preserve_existing=true", url_encode(from));
    const Response moved = co_await steps.send(Method::put, std::move(target), std::move(text));
    if (!steps.accept(moved)) co_return;
    co_await settle(bench, steps, from);
    if (steps.failed()) co_return;
    target = fmt::format("/{}/_shrink/{}", url_encode(from), url_encode(to));
    text = target_text(params);
    const Response shrunk = co_await steps.send(Method::put, std::move(target), std::move(text));
    if (steps.accept(shrunk)) co_await settle(bench, steps, to);
  }

  /// Until no shard moves any more; Rally gives up at the first look.
  static Async<void> settle(Bench& bench, Steps& steps, std::string index) {
    Waiting waiting(bench.clock);
    const std::string target =
        fmt::format("/_cluster/health/{}?wait_for_no_relocating_shards=true", url_encode(index));
    for (;;) {
      const Instant next = bench.clock.now() + kSettle;
      co_await bench.clock.sleep_until(next);
      const Response response = co_await steps.send(Method::get, target);
      if (response.status != 408 && !steps.accept(response)) co_return;
      const Json answer = parse_json(response.body);
      if (value_at(answer, "relocating_shards") == 0) co_return;
      waiting.say(bench, fmt::format("shards of {} are moving", index));
      if (!bench.stop.requested()) continue;
      steps.fail("condition", fmt::format("shards of {} are still moving", index));
      co_return;
    }
  }

  std::string operation_;
};

std::unique_ptr<Runner> shrink_runner(const Operation& operation) {
  return std::make_unique<ShrinkIndex>(operation);
}

const Registered<OperationType> shrink_index_type{"shrink-index",
                                                  {"Makes indices with fewer shards of others.", true, true,
                                                   shrink_runner, constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
