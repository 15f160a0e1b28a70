// Bodies packed and unpacked in one piece.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pacenote {

/// Unpacks gzip or zlib data into `out`, whose memory is used again; false where it is damaged, cut short or
/// would be longer than `limit`.
bool gunzip(std::string_view packed, std::size_t limit, std::string& out);

/// gzip of `text` into `out`, whose memory is used again. `level`: zlib's, 1 (fast) to 9 (small).
void gzip(std::string_view text, int level, std::string& out);

}  // namespace pacenote
