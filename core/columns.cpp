#include "core/columns.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstring>

namespace pacenote {
namespace {

// A column is its mode, then that mode's numbers: varints where they are few. Where they are many, in groups,
// little-endian and in as many bytes as the largest of the group needs: twice as fast, and hardly longer.
enum class Mode : std::uint8_t {
  constant,  // one value for all
  runs,      // (length, value) until all are covered
  groups     // bytes per value (0 to 8), then the values
};
constexpr std::size_t kGroup = 32, kLongestVarint = 10;
static_assert(std::endian::native == std::endian::little);

char* put(char* at, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<char>(value | 0x80);
  *at++ = static_cast<char>(value);
  return at;
}

char* put_runs(char* at, std::span<const std::uint64_t> values) {
  for (std::size_t i = 0, first = 0; i < values.size(); ++i) {
    if (i + 1 < values.size() && values[i + 1] == values[i]) continue;
    at = put(put(at, i + 1 - first), values[i]);
    first = i + 1;
  }
  return at;
}

char* put_group(char* at, std::span<const std::uint64_t> values) {
  std::uint64_t all = 0;
  for (const std::uint64_t value : values) all |= value;
  const std::size_t width = (static_cast<std::size_t>(std::bit_width(all)) + 7) / 8;
  *at++ = static_cast<char>(width);
  for (const std::uint64_t value : values) {
    std::memcpy(at, &value, sizeof value);  // the next one overwrites what is too much
    at += width;
  }
  return at;
}

}  // namespace

void put_number(std::uint64_t value, std::string& out) {
  char bytes[kLongestVarint];
  out.append(bytes, put(bytes, value));
}

void put_column(std::span<const std::uint64_t> values, std::string& out) {
  assert(!values.empty());
  std::size_t runs = 1;
  for (std::size_t i = 1; i < values.size(); ++i) runs += values[i] != values[i - 1] ? 1U : 0U;
  const Mode mode = runs == 1 ? Mode::constant : runs * 2 <= values.size() ? Mode::runs : Mode::groups;
  out.push_back(static_cast<char>(mode));
  if (mode == Mode::constant) return put_number(values[0], out);
  const std::size_t before = out.size();
  out.resize(before + (values.size() + 1) * kLongestVarint);  // more than either mode takes
  char* at = out.data() + before;
  if (mode == Mode::runs) {
    at = put_runs(at, values);
  } else {
    for (std::size_t i = 0; i < values.size(); i += kGroup) {
      at = put_group(at, values.subspan(i, std::min(kGroup, values.size() - i)));
    }
  }
  out.resize(static_cast<std::size_t>(at - out.data()));
}

bool ColumnReader::number(std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; at_ != end_ && shift < 64; shift += 7) {
    const auto byte = static_cast<std::uint8_t>(*at_++);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return shift < 63 || byte < 2;
  }
  return false;
}

bool ColumnReader::constant(std::uint64_t& value) {
  if (at_ == end_ || static_cast<Mode>(*at_) != Mode::constant) return false;
  const char* const before = at_++;
  if (number(value)) return true;
  at_ = before;  // malformed, which column() will say
  return false;
}

bool ColumnReader::column(std::span<std::uint64_t> values) {
  if (at_ == end_) return false;
  if (std::uint64_t value = 0; constant(value)) {
    std::ranges::fill(values, value);
    return true;
  }
  const auto mode = static_cast<Mode>(*at_++);
  if (mode == Mode::runs) return runs(values);
  if (mode != Mode::groups) return false;
  for (std::size_t i = 0; i < values.size(); i += kGroup) {
    if (!group(values.subspan(i, std::min(kGroup, values.size() - i)))) return false;
  }
  return true;
}

bool ColumnReader::runs(std::span<std::uint64_t> values) {
  for (std::size_t i = 0; i < values.size();) {
    std::uint64_t length = 0, value = 0;
    if (!number(length) || length == 0 || length > values.size() - i || !number(value)) return false;
    std::ranges::fill(values.subspan(i, static_cast<std::size_t>(length)), value);
    i += static_cast<std::size_t>(length);
  }
  return true;
}

bool ColumnReader::group(std::span<std::uint64_t> values) {
  if (at_ == end_) return false;
  const std::size_t width = static_cast<std::uint8_t>(*at_++);
  if (width > sizeof(std::uint64_t)) return false;
  if (width * values.size() > static_cast<std::size_t>(end_ - at_)) return false;
  const std::uint64_t mask = width == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * width);
  if (static_cast<std::size_t>(end_ - at_) >= width * values.size() + sizeof(std::uint64_t)) {
    for (std::uint64_t& value : values) {  // the same without looking at the end each time
      std::memcpy(&value, at_, sizeof value);
      value &= mask;
      at_ += width;
    }
    return true;
  }
  for (std::uint64_t& value : values) {
    if (static_cast<std::size_t>(end_ - at_) >= sizeof value) {
      std::memcpy(&value, at_, sizeof value);  // reads on into what the mask hides
      value &= mask;
    } else {
      value = 0;
      std::memcpy(&value, at_, width);
    }
    at_ += width;
  }
  return true;
}

}  // namespace pacenote
