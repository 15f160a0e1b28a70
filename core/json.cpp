#include "core/json.hpp"

template class nlohmann::basic_json<nlohmann::ordered_map>;
template class nlohmann::detail::serializer<nlohmann::ordered_json>;

namespace pacenote {

Json parse_json(std::string_view text) { return Json::parse(text, nullptr, false); }

Json parse_json_strictly(std::string_view text) { return Json::parse(text); }

std::string to_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace pacenote
