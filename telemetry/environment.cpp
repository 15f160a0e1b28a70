// Rally's ClusterEnvironmentInfo and ExternalEnvironmentInfo (rally telemetry.py): what the race ran against,
// once at its start.
#include <fmt/format.h>

#include <optional>

#include "telemetry/ask.hpp"

namespace pacenote::telemetry {
namespace {

class ClusterEnvironment final : public TelemetryDevice {
 public:
  Async<void> poll(Probe& probe, When when) override {
    if (when != When::start) co_return;
    const Request request(Method::get, "/");
    const Response reply = co_await probe.cluster.send(request);
    if (!reply.ok()) co_return;
    const Json root = parse_json_strictly(reply.body);
    const std::string flavor = text(root, {"version", "build_flavor"});
    Json fields = Json::object();
    fields["source_revision"] = text(root, {"version", "build_hash"});
    fields["distribution_version"] = text(root, {"version", "number"});
    fields["distribution_flavor"] = flavor.empty() ? "oss" : flavor;
    fields["target_id"] = text(root, {"cluster_name"});
    fields["target_platform"] = platform(flavor, reply);
    if (!probe.auth.empty()) fields["target_auth_type"] = std::string(probe.auth);
    put_document(probe, "cluster_environment_info", {}, std::move(fields));
  }

 private:
  static std::string platform(const std::string& flavor, const Response& reply) {
    if (flavor == "serverless") return flavor;
    return reply.header("x-found-handling-cluster").empty() ? "on-prem" : "hosted";
  }
};

class NodeEnvironment final : public TelemetryDevice {
 public:
  Async<void> poll(Probe& probe, When when) override {
    if (when != When::start) co_return;
    const std::optional<Json> stats = co_await ask(probe, "/_nodes/stats/_all");
    if (!stats) co_return;
    const std::optional<Json> infos = co_await ask(probe, "/_nodes/_all");
    if (!infos) co_return;
    for (const auto& [id, node] : object(*stats, {"nodes"}).items()) {
      const Json& info = object(*infos, {"nodes", id});
      put_document(probe, "node_environment_info", text(node, {"name"}), fields_of(node, info));
    }
  }

 private:
  static Json fields_of(const Json& stats, const Json& info) {
    Json fields = Json::object();
    const auto copy = [&fields](const char* name, const Json* value) {
      if (value != nullptr && value->is_primitive() && !value->is_null()) fields[name] = *value;
    };
    copy("node_name", find(stats, {"name"}));
    copy("host_name", find(stats, {"host"}));
    copy("os_name", find(info, {"os", "name"}));
    copy("os_version", find(info, {"os", "version"}));
    copy("cpu_logical_cores", find(info, {"os", "available_processors"}));
    copy("jvm_vendor", find(info, {"jvm", "vm_vendor"}));
    copy("jvm_version", find(info, {"jvm", "version"}));
    copy("version", find(info, {"version"}));
    for (const auto& [name, value] : object(info, {"attributes"}).items())
      fields[fmt::format("attribute_{}", name)] = value;
    Json plugins = Json::array();
    if (const Json* all = find(info, {"plugins"}); all != nullptr && all->is_array())
      for (const Json& plugin : *all)
        if (const std::string name = text(plugin, {"name"}); !name.empty()) plugins.push_back(name);
    fields["plugins"] = std::move(plugins);
    return fields;
  }
};

template <class Device>
std::unique_ptr<TelemetryDevice> make_environment(const Json&, const Track&) {
  return std::make_unique<Device>();
}

const Registered<DeviceType> cluster_environment{
    "cluster-environment-info",
    {"Version, flavour and name of the cluster, at the start", true, make_environment<ClusterEnvironment>}};
const Registered<DeviceType> node_environment{
    "external-environment-info",
    {"Operating system, processors, JVM and plugins of each node, at the start", true,
     make_environment<NodeEnvironment>}};

}  // namespace
}  // namespace pacenote::telemetry
