// A file descriptor that is written to without ever waiting for it.
#pragma once

#include <cstddef>
#include <string_view>

namespace pacenote::cli {

class Screen {
 public:
  /// `fd` stays the caller's, its flags untouched: other programs may share them.
  explicit Screen(int fd);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  /// How many bytes were taken; 0 where nothing can be taken now. What can never be written counts as taken.
  std::size_t write_some(std::string_view text);

 private:
  int fd_;
  bool own_ = false;        ///< fd_ is a non-blocking description of our own
  bool may_block_ = false;  ///< none could be had: polled, and written to in small pieces
};

}  // namespace pacenote::cli
