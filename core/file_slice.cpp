#include "core/file_slice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace pacenote {
namespace {

// Larger ones fall out of the cache before they are sent; with smaller ones the receiver wakes more often.
constexpr std::uint64_t kPieceBytes = std::uint64_t{256} << 10;

/// All pieces of one size, nearly: a small last one would cost as many calls of the kernel as a large one.
std::uint64_t lines_of_a_piece(const FileSlice& slice) {
  const std::uint64_t pieces = slice.text_size() / kPieceBytes + 1;
  return std::max<std::uint64_t>((slice.lines + pieces - 1) / pieces, 1);
}

}  // namespace

void FileSlice::read(std::string& out) const {
  out.clear();
  out.reserve(text_size());
  SliceReader reader(*this);
  std::string piece;
  do {
    if (!reader.next(piece)) has_changed();
    out += piece;
  } while (!piece.empty());
}

void FileSlice::has_changed() const {
  throw UserError(fmt::format("[{}] has changed: its lines before byte {} are others now",
                              file->path().string(), offset + size),
                  "leave corpus files alone while a race runs");
}

SliceReader::SliceReader(const FileSlice& slice)
    : slice_(slice),
      lines_(slice.file, slice.offset, slice.offset + slice.size),
      lines_left_(slice.lines),
      bytes_left_(slice.text_size()),
      lines_per_piece_(lines_of_a_piece(slice)) {}

bool SliceReader::next(std::string& out) {
  const std::uint64_t wanted = std::min(lines_left_, lines_per_piece_);
  const std::uint64_t got =
      slice_.prefix.empty() ? lines_.take(out, wanted) : lines_.take(out, slice_.prefix, wanted);
  lines_left_ -= wanted;
  if (got != wanted || out.size() > bytes_left_) return false;
  bytes_left_ -= out.size();
  return lines_left_ != 0 || bytes_left_ == 0;
}

}  // namespace pacenote
