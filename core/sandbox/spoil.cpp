#include "core/sandbox/spoil.hpp"

#include "core/answer.hpp"
#include "core/gzip.hpp"

namespace pacenote::sandbox {

Async<bool> write_instead(FaultKind kind, const Write& write) {
  std::string begin = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n", more;
  if (kind == FaultKind::not_http) {
    begin = "SSH-2.0-OpenSSH_9.2p1\r\n";
  } else if (kind == FaultKind::huge_head) {
    more = "x-padding: " + std::string(1024, 'x') + "\r\n";
  } else if (kind == FaultKind::huge_body) {
    begin += "transfer-encoding: chunked\r\n\r\n";
    more = "40000\r\n" + std::string(0x40000, ' ') + "\r\n";
  } else {
    co_return false;
  }
  bool there = co_await write(begin);
  while (there && !more.empty()) there = co_await write(more);
  co_return true;
}

Async<bool> trickle(std::string_view text, const Write& write, const Pause& pause) {
  const std::size_t piece = text.size() / 10 + 1;
  while (!text.empty()) {
    const bool there = co_await write(text.substr(0, piece));
    if (!there) co_return false;
    text.remove_prefix(std::min(piece, text.size()));
    co_await pause(std::chrono::milliseconds(5));
  }
  co_return true;
}

Answer gzip_bomb() {
  Answer out;
  gzip(std::string(kLargestBody + 1, ' '), 1, out.body);
  out.headers.emplace_back("content-encoding", "gzip");
  return out;
}

}  // namespace pacenote::sandbox
