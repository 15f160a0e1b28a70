// JSON that keeps the order of keys: bodies go to the cluster as their author wrote them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

// Made once, in core/json.cpp: every file that touches JSON would make it again.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
extern template class nlohmann::detail::serializer<nlohmann::ordered_json>;

namespace pacenote {

using Json = nlohmann::ordered_json;

/// Compact UTF-8 text as sent on the wire (`,` and `:` without spaces, nothing escaped needlessly).
inline std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pacenote
