// Any text as a rendered track: it is a Track or a UserError.
#include <cstdint>
#include <string>

#include "core/error.hpp"
#include "tracks/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using pacenote::Json;
  const Json json = pacenote::parse_json({reinterpret_cast<const char*>(data), size});
  if (json.is_discarded()) return 0;
  try {
    const auto track = pacenote::tracks::read_track(
        json, {"fuzz", "track.json", [](const std::string&) { return Json::object(); }, ""});
    for (const auto& challenge : track.challenges) pacenote::tracks::check_operations(challenge, "");
  } catch (const pacenote::UserError&) {
    return 0;
  }
  return 0;
}
