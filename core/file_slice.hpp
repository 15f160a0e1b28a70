// A bulk that lies in a file: sent from there, never whole in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/documents.hpp"
#include "core/input_file.hpp"

namespace pacenote {

/// `lines` whole lines of a file that stand for a text: `prefix`, then the line, each; as they are where the
/// prefix is empty. Requests under way hold the file open while the source of the documents already reads
/// another: hence the shared pointer.
struct FileSlice {
  std::shared_ptr<const InputFile> file;
  std::uint64_t offset = 0, size = 0;  ///< bytes in the file
  std::uint64_t lines = 0;
  std::string prefix;

  std::uint64_t text_size() const { return size + lines * prefix.size(); }
  void read(std::string& out) const;      ///< replaces `out`; UserError where the file is another
  [[noreturn]] void has_changed() const;  ///< that UserError
};

/// The text of a slice piece by piece, each small enough to be sent out of a processor's second-level cache.
/// The slice outlives it.
class SliceReader {
 public:
  explicit SliceReader(const FileSlice& slice);
  /// Replaces `out` by what comes next; empty at the end. False where the file is not what the slice says: it
  /// has become shorter, or has other lines. UserError where it cannot be read.
  bool next(std::string& out);

 private:
  const FileSlice& slice_;
  LineReader lines_;
  std::uint64_t lines_left_, bytes_left_, lines_per_piece_;
};

}  // namespace pacenote
