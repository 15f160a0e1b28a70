// Corpus files: lines of documents, read in order and appended to bulk bodies.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pacenote {

/// Byte offset of a line (0-based) of a file. Each file is scanned once per process and no further than
/// asked; every 50,000th offset is kept, so that all clients share the work. Any thread: those who ask for
/// the same file wait for each other. None: the file has fewer lines. UserError where it cannot be read.
std::optional<std::uint64_t> line_offset(const std::filesystem::path& path, std::uint64_t line);

/// Lines of a file, a last one without newline included; leaves the offsets for line_offset behind.
std::uint64_t count_lines(const std::filesystem::path& path);

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

 private:
  std::filesystem::path path_;
  int descriptor_;
};

/// The lines of a file from a byte offset on. Reads pieces of 256 kB into one buffer, so that memory stays
/// flat. A last line without newline gets one, since a bulk must end in it. One thread.
class LineReader {
 public:
  LineReader(const std::filesystem::path& path, std::uint64_t offset);
  /// Appends up to `count` lines, each behind `prefix`; returns how many there were.
  std::uint64_t append(std::string& out, std::string_view prefix, std::uint64_t count);
  /// Appends up to `count` lines as they are; returns how many there were.
  std::uint64_t append(std::string& out, std::uint64_t count);

 private:
  bool fill();
  void append_rest_of_line(std::string& out);

  InputFile file_;
  std::uint64_t offset_;  // of what follows the buffer
  std::unique_ptr<char[]> buffer_;
  const char* next_ = nullptr;
  const char* end_ = nullptr;
};

}  // namespace pacenote
