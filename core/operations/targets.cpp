#include "core/operations/targets.hpp"

#include <algorithm>

namespace pacenote {

std::vector<std::string> named_targets(const Fields& params) {
  auto names = params.list("index");
  return names.empty() ? params.list("data-stream") : names;
}

std::string default_target(const Track& track) {
  if (track.indices.size() == 1) return track.indices.front().name;
  return track.indices.empty() && track.data_streams.size() == 1 ? track.data_streams.front().name : "";
}

std::vector<std::string> declared_targets(const Track& track) {
  std::vector<std::string> names;
  for (const Index& index : track.indices) names.push_back(index.name);
  for (const DataStream& stream : track.data_streams) names.push_back(stream.name);
  return names;
}

bool selected(const std::vector<std::string>& filter, const std::string& name) {
  return filter.empty() || std::find(filter.begin(), filter.end(), name) != filter.end();
}

std::vector<Destroys> destroys_each(Destroys::Kind kind, const std::vector<std::string>& names) {
  std::vector<Destroys> out;
  for (const std::string& name : names) out.push_back({kind, name});
  return out;
}

std::vector<Destroys> destroys_anything(Destroys::Kind kind) { return {{kind, "*"}}; }

}  // namespace pacenote
