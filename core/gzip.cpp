#include "core/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>

namespace pacenote {
namespace {

z_stream over(std::string_view input) {
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
  stream.avail_in = static_cast<uInt>(input.size());
  return stream;
}

}  // namespace

bool gunzip(std::string_view packed, std::size_t limit, std::string& out) {
  z_stream stream = over(packed);
  if (inflateInit2(&stream, 15 + 32) != Z_OK) return false;  // 32: gzip or zlib by the data's own head
  out.resize(std::min(limit, std::max<std::size_t>(packed.size() * 8, std::size_t{16} * 1024)));
  std::size_t used = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    if (used == out.size()) {
      if (out.size() >= limit) break;
      out.resize(std::min(limit, out.size() * 2));
    }
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + used);
    stream.avail_out = static_cast<uInt>(std::min<std::size_t>(out.size() - used, 1u << 30));
    state = inflate(&stream, Z_NO_FLUSH);
    used = stream.total_out;
    if (state == Z_BUF_ERROR && stream.avail_out == 0) state = Z_OK;
    if (state == Z_OK && stream.avail_in == 0 && stream.avail_out > 0) break;  // cut short
  }
  inflateEnd(&stream);
  out.resize(used);
  return state == Z_STREAM_END;
}

void gzip(std::string_view text, int level, std::string& out) {
  z_stream stream = over(text);
  if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  out.resize(deflateBound(&stream, static_cast<uLong>(text.size())));
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();  // the bound is one
  out.resize(stream.total_out);
  deflateEnd(&stream);
}

}  // namespace pacenote
