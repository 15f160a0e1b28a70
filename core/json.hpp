// JSON that keeps the order of keys: bodies go to the cluster as their author wrote them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

// Made once, in core/json.cpp, and so are reading and writing: every file that does it would make a parser
// again, which takes the compiler three seconds.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
extern template class nlohmann::detail::serializer<nlohmann::ordered_json>;

namespace pacenote {

using Json = nlohmann::ordered_json;

/// Brackets within brackets: what is deeper is refused, since copying and writing such a value recurses.
inline constexpr std::size_t kDeepestJson = 512;
bool nested_too_deep(std::string_view text);

/// For what a cluster sent: a discarded value where `text` is no JSON, or too deep.
Json parse_json(std::string_view text);
/// For what a person wrote, or we did. Json::parse_error where `text` is no JSON.
Json parse_json_strictly(std::string_view text);

/// Compact UTF-8 text as sent on the wire (`,` and `:` without spaces, nothing escaped needlessly).
std::string to_text(const Json& json);

/// What stands under `key`; empty where that is nothing, or no text.
std::string member_text(const Json& object, const char* key);

}  // namespace pacenote
