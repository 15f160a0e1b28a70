// What a track that is being made already has, kept on disk beside it: a later start goes on from there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "tracks/create/pager.hpp"

namespace pacenote::tracks {

/// How far one corpus is.
struct MadeCorpus {
  std::uint64_t documents = 0, bytes = 0;  ///< written and whole, under its temporary name until `read`
  std::uint64_t expected = 0;              ///< documents, as the cluster counted them at the begin
  ReadingPlace place;
  bool read = false;                   ///< all documents are there, under the final name
  std::uint64_t compressed_bytes = 0;  ///< 0: not packed yet
};

class HalfMade {
 public:
  /// Reads what an earlier start left in `folder`. Nothing, if that was about another cluster or other
  /// corpora, or cannot be read.
  HalfMade(std::filesystem::path folder, std::string cluster_uuid);
  MadeCorpus& corpus(const std::string& name) { return corpora_[name]; }
  bool begun() const { return !corpora_.empty(); }
  /// Replaces the file; a cut leaves the old or the new one. UserError where it cannot be written.
  void save() const;
  void remove() const;

 private:
  std::filesystem::path file_;
  std::string cluster_uuid_;
  std::map<std::string, MadeCorpus> corpora_;
};

/// Writes a file and gives it its name only then. UserError where that does not work.
void write_whole(const std::filesystem::path& file, std::string_view text);
/// UserError with the reason of errno.
[[noreturn]] void cannot_write(const std::filesystem::path& file);

}  // namespace pacenote::tracks
