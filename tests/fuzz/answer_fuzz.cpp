// Any bytes as an HTTP answer, cut at a place that the first byte chooses.
#include <cstdint>
#include <cstring>

#include "core/answer.hpp"
#include "core/gzip.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t step = 1 + data[0];
  pacenote::ReadBuffer buffer;
  pacenote::Answer answer(buffer, (data[0] & 1) != 0);
  auto state = pacenote::Answer::State::more;
  for (std::size_t at = 1; at < size && state == pacenote::Answer::State::more; at += step) {
    const std::size_t count = std::min(step, size - at);
    buffer.reserve(buffer.size() + count);
    std::memcpy(buffer.room(), data + at, count);
    buffer.commit(count);
    state = answer.parse();
  }
  if (state == pacenote::Answer::State::more) state = answer.end_of_stream();
  std::string unpacked;
  if (state == pacenote::Answer::State::done && answer.compressed() && answer.body().size() < 1 << 16)
    static_cast<void>(pacenote::gunzip(answer.body(), pacenote::kLargestBody, unpacked));
  return 0;
}
