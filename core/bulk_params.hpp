// What a bulk operation may say about its documents (rally track/params.py:604, behaviour B.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/track.hpp"

namespace pacenote {

enum class Conflicts : std::uint8_t { none, sequential, random };

struct BulkParams {
  std::uint64_t bulk_size = 0;                    ///< documents per request
  double ingest_percentage = 100;                 ///< (0, 100]
  std::optional<std::uint64_t> ingest_doc_count;  ///< over all clients
  bool looped = false;
  Conflicts conflicts = Conflicts::none;
  double conflict_probability = 25;  ///< percent
  bool update_on_conflict = false;
  double recency = 0;                                                      ///< [0, 1]
  std::optional<std::vector<std::string>> corpora, indices, data_streams;  ///< none: all
};

/// UserError that names the operation and the parameter.
BulkParams bulk_params(const Operation& operation);

/// The corpora a bulk operation reads, cut down to the document sets it asks for, in the track's order. Their
/// Documents are the track's. UserError: the track has none, or none matches.
struct CorpusSelection {
  std::vector<const Documents*> documents;
};
std::vector<CorpusSelection> select_corpora(const BulkParams& params, const Operation& operation,
                                            const Track& track);

}  // namespace pacenote
