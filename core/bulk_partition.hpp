// Which documents the clients of one share send, and in what order (behaviour B.3). Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "core/bulk_params.hpp"
#include "core/params.hpp"

namespace pacenote {

/// A run of documents of one file.
struct Slice {
  const Documents* documents;
  std::uint64_t first = 0, count = 0;  ///< documents, not lines
};

/// Of `documents` in all, those of a share: bounds are rounded half to even (rally track/params.py:1101).
Slice slice_of(const Documents& documents, const Share& share);

/// The share's slices in reading order: one document set from each corpus in turn, the corpora rotated by the
/// first client; empty slices left out.
std::vector<Slice> slices(const std::vector<CorpusSelection>& corpora, const Share& share);

/// Requests the share makes (one round of them where the operation is looped). UserError where
/// ingest-doc-count asks for more than there is, or for parts of a bulk.
std::uint64_t total_bulks(const BulkParams& params, const Operation& operation,
                          const std::vector<CorpusSelection>& corpora, const std::vector<Slice>& slices,
                          const Share& share);

}  // namespace pacenote
