// Rally's MasterNodeStats (rally telemetry.py): which node leads the cluster, again and again.
#include <fmt/format.h>

#include <optional>

#include "telemetry/ask.hpp"
#include "telemetry/params.hpp"

namespace pacenote::telemetry {
namespace {

class MasterNode final : public TelemetryDevice {
 public:
  explicit MasterNode(Duration every) : every_(every) {}
  std::optional<Duration> interval() const override { return every_; }
  Async<void> poll(Probe& probe, When when) override {
    if (when != When::interval) co_return;
    const std::optional<Json> state = co_await ask(probe, "/_cluster/state/master_node");
    if (!state) co_return;
    const std::string id = text(*state, {"master_node"});
    if (id.empty()) co_return;  // none is elected now
    const std::string target = fmt::format("/_nodes/{}/os", url_encode(id));
    const std::optional<Json> info = co_await ask(probe, target);
    if (!info) co_return;
    const std::string name = text(*info, {"nodes", id, "name"});
    Json fields = Json::object();
    fields["node"] = name;
    put_document(probe, "master-node-stats", name, std::move(fields));
  }

 private:
  Duration every_;
};

std::unique_ptr<TelemetryDevice> make_master_node(const Json& params, const Track&) {
  const Duration every = period(params, "master-node-stats-sample-interval", std::chrono::seconds(30));
  return std::make_unique<MasterNode>(every);
}

const Registered<DeviceType> master_node_device{
    "master-node-stats", {"The elected master node, every 30 s", true, make_master_node}};

}  // namespace
}  // namespace pacenote::telemetry
