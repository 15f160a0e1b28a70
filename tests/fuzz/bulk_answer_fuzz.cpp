// Any bytes as the answer to a bulk request.
#include <cstdint>
#include <string_view>

#include "core/bulk_answer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  static_cast<void>(pacenote::bulk_head(body));
  for (const bool details : {false, true})
    if (const auto answer = pacenote::read_bulk_answer(body, details))
      static_cast<void>(pacenote::describe(answer->distinct_errors));
  return 0;
}
