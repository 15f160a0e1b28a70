// Files of documents, read piece by piece at any offset.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace pacenote {

/// An open file, to be read at any offset. UserError where it cannot be opened or read.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  /// Bytes read into `buffer`; 0 at the end of the file.
  std::size_t read_at(std::uint64_t offset, char* buffer, std::size_t size) const;
  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  /// Size and time of the last change, as far as the file system keeps it: "SIZE SECONDS.NANOSECONDS".
  std::string stamp() const;

 private:
  std::filesystem::path path_;
  int descriptor_;
};

/// Memory for one piece of a file.
class Piece {
 public:
  static constexpr std::size_t kSize = std::size_t{128} << 10;  ///< a quarter of a small second-level cache
  Piece();
  /// What is at `offset`, at most `most` bytes and kSize, valid until the next call; empty at the end of the
  /// file.
  std::string_view read(const InputFile& file, std::uint64_t offset, std::uint64_t most = kSize);

 private:
  std::unique_ptr<char[]> room_;
};

}  // namespace pacenote
