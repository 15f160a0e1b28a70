// The parameter source of bulk operations: reads documents and makes bodies (behaviour B.3).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/bulk_conflicts.hpp"
#include "core/bulk_partition.hpp"
#include "core/documents.hpp"
#include "core/line_table.hpp"
#include "core/params.hpp"

namespace pacenote {

/// Gives one bulk after the other to whichever client of the share asks. Finds where each of its slices
/// begins when it is made; opens one file at a time. Where there is a table of a file's lines, and ids are
/// not made up, a bulk is a slice of the file and is not read here. next() throws UserError where a file ends
/// early or cannot be read. The track outlives it.
class BulkSource final : public ParamSource {
 public:
  BulkSource(const Operation& operation, const Track& track, Share share, Chance chance);
  Supply next(Call& call) override;
  /// Of one round, where the operation is looped: such a source has no end, but a position (as Rally).
  std::optional<double> progress() const override;
  std::uint64_t total() const { return total_bulks_; }

 private:
  struct Part {
    Slice slice;
    std::uint64_t offset;  ///< bytes to its first line
    std::string action;    ///< the line before each document; empty where the file has its own
  };
  void rewind();
  bool open_next();
  void check_unchanged() const;
  bool slice(Call& call, std::uint64_t count);
  void fill(std::string& body, std::uint64_t count);
  void fill_with_ids(std::string& body, std::uint64_t count);

  BulkParams params_;
  Json call_params_;
  RequestOptions options_;
  Chance chance_;
  std::vector<Part> parts_;
  std::uint64_t total_bulks_ = 0, current_bulk_ = 0;
  std::size_t next_part_ = 0;
  std::uint64_t left_ = 0;    ///< documents of the open part
  std::uint64_t offset_ = 0;  ///< to its next line, where it has a table
  std::optional<LineTable> table_;
  std::shared_ptr<const InputFile> sent_;  ///< what the table is of, and as it was when it was opened
  std::string stamp_;
  std::unique_ptr<LineReader> reader_;
  std::unique_ptr<DocumentIds> ids_;
  std::string line_;
};

/// BulkSource with draws seeded by the operation's name and the share.
std::unique_ptr<ParamSource> bulk_source(const Operation& operation, const Track& track, Share share);

}  // namespace pacenote
