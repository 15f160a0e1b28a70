#include "telemetry/ask.hpp"

namespace pacenote::telemetry {

Async<std::optional<Json>> ask(Probe& probe, std::string_view target) {
  const Request request(Method::get, std::string(target));
  const Response reply = co_await probe.cluster.send(request);
  std::optional<Json> answer;
  if (reply.ok()) answer = parse_json_strictly(reply.body);
  co_return answer;
}

const Json* find(const Json& from, Path path) {
  const Json* here = &from;
  for (const std::string_view key : path) {
    if (!here->is_object()) return nullptr;
    const auto it = here->find(key);
    if (it == here->end()) return nullptr;
    here = &*it;
  }
  return here;
}

const Json& object(const Json& from, Path path) {
  static const Json empty = Json::object();
  const Json* found = find(from, path);
  return found != nullptr && found->is_object() ? *found : empty;
}

std::optional<double> number(const Json& from, Path path) {
  const Json* found = find(from, path);
  if (found == nullptr || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string text(const Json& from, Path path) {
  const Json* found = find(from, path);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

void put(Probe& probe, std::string name, std::optional<double> value, std::string unit, std::string node,
         Json fields) {
  if (!value) return;
  Metric metric;
  metric.name = std::move(name);
  metric.value = value;
  metric.unit = std::move(unit);
  metric.at = probe.clock.now();
  metric.node = std::move(node);
  metric.fields = std::move(fields);
  probe.metrics.add(std::move(metric));
}

void put_document(Probe& probe, std::string name, std::string node, Json fields) {
  Metric metric;
  metric.name = std::move(name);
  metric.at = probe.clock.now();
  metric.node = std::move(node);
  metric.fields = std::move(fields);
  probe.metrics.add(std::move(metric));
}

}  // namespace pacenote::telemetry
