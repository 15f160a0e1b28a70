// What the cluster says of a bulk (Elasticsearch: docs-bulk, "Response body").
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json.hpp"

namespace pacenote {

/// The plain fields at the head of an answer, before its items. Nothing is parsed beyond them, so that an
/// answer without errors costs the same however many items it has.
struct BulkHead {
  std::optional<bool> errors;
  std::optional<std::int64_t> took_ms;
};
BulkHead bulk_head(std::string_view body);

/// Status and reason of a failed item.
using BulkError = std::pair<int, std::optional<std::string>>;

struct BulkAnswer {
  bool errors = false;
  bool names_result = false;  ///< has `errors`, `items` or `took`: no answer of a bulk is without all of them
  std::optional<std::int64_t> took_ms, ingest_took_ms;
  std::uint64_t items = 0, failed = 0;
  int max_status = 0;         ///< of all items; 0: no items
  int max_failed_status = 0;  ///< of the failed ones
  std::set<BulkError> distinct_errors;
  std::vector<std::uint64_t> rejected;  ///< positions of the items with status 429
  std::vector<bool> is_delete;          ///< per item: has no document line
  Json ops = Json::object();            ///< per action: item-count and count per result; with `details`
  Json shards_histogram = Json::array();
};

/// Reads the whole answer. None: it is not a JSON object.
std::optional<BulkAnswer> read_bulk_answer(std::string_view body, bool details);

/// Rally's error-description: the first five distinct errors, and how many distinct ones there are per
/// status.
std::string describe(const std::set<BulkError>& errors);

}  // namespace pacenote
