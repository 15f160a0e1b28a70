// Corpus files: lines of documents, read in order, as bulk bodies.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/input_file.hpp"

namespace pacenote {

/// Byte offset of a line (0-based) of a file. Each file is scanned once per process and no further than
/// asked; every 50,000th offset is kept, so that all clients share the work. Any thread: those who ask for
/// the same file wait for each other. None: the file has fewer lines. UserError where it cannot be read.
std::optional<std::uint64_t> line_offset(const std::filesystem::path& path, std::uint64_t line);

/// Lines of a file, a last one without newline included; leaves the offsets for line_offset behind.
std::uint64_t count_lines(const std::filesystem::path& path);

/// The lines of a file from a byte offset on, read piece by piece, so that memory stays flat. A last line
/// without newline gets one, since a bulk must end in it. One thread.
class LineReader {
 public:
  LineReader(const std::filesystem::path& path, std::uint64_t offset);
  /// Reads nothing at or behind `end`, which is the end of a line.
  LineReader(std::shared_ptr<const InputFile> file, std::uint64_t offset, std::uint64_t end);
  /// Replaces `out` by up to `count` lines, each behind `prefix`; returns how many there were.
  std::uint64_t take(std::string& out, std::string_view prefix, std::uint64_t count);
  /// Replaces `out` by up to `count` lines as they are; returns how many there were.
  std::uint64_t take(std::string& out, std::uint64_t count);

 private:
  class Writer;
  bool fill();
  std::uint64_t take_from_piece(Writer& out, std::string_view prefix, std::uint64_t count);
  void take_line(Writer& out);
  void take_rest_of_line(Writer& out);

  std::shared_ptr<const InputFile> file_;
  std::uint64_t offset_;  // of what follows the piece
  std::uint64_t stop_;
  Piece piece_;
  const char* next_ = nullptr;
  const char* end_ = nullptr;
};

}  // namespace pacenote
