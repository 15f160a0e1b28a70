// Columns of numbers as bytes: what sample blocks are made of.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pacenote {

/// So that numbers near zero of either sign become small ones. The difference may have wrapped around.
inline std::uint64_t zigzag(std::uint64_t difference) { return (difference << 1) ^ (0 - (difference >> 63)); }
inline std::uint64_t unzigzag(std::uint64_t value) { return (value >> 1) ^ (0 - (value & 1)); }

/// Appends one number, seven bits a byte, lowest first.
void put_number(std::uint64_t value, std::string& out);
/// Appends a column; `values` is non-empty. Its length is not written.
void put_column(std::span<const std::uint64_t> values, std::string& out);

/// Reads what put_number and put_column wrote, from any bytes. Where a function returns false the bytes are
/// malformed, and reading on is pointless.
class ColumnReader {
 public:
  explicit ColumnReader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}
  [[nodiscard]] bool number(std::uint64_t& value);
  [[nodiscard]] bool column(std::span<std::uint64_t> values);  ///< of the length that was put
  /// Takes the next column if it is one value for all. Else false, and column() is still to be called.
  [[nodiscard]] bool constant(std::uint64_t& value);
  bool done() const { return at_ == end_; }

 private:
  bool group(std::span<std::uint64_t> values);
  bool runs(std::span<std::uint64_t> values);

  const char* at_;
  const char* end_;
};

}  // namespace pacenote
