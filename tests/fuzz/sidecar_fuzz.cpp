// Any line as an answer of the Python side-car: it is a rendered text or a UserError.
#include <cstdint>
#include <string>

#include "core/error.hpp"
#include "tracks/render.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const pacenote::Json answer = pacenote::parse_json({reinterpret_cast<const char*>(data), size});
  if (answer.is_discarded()) return 0;
  try {
    static_cast<void>(pacenote::tracks::read_answer(answer, "fuzz"));
  } catch (const pacenote::UserError&) {
    return 0;
  }
  return 0;
}
