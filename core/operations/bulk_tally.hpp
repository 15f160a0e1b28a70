// What the attempts of one bulk come to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/bulk_answer.hpp"
#include "core/runner.hpp"

namespace pacenote {

/// What the runner needs of the call's parameters. A plug-in's source may bring body and bulk-size along.
struct BulkOrder {
  std::string target;
  std::uint64_t documents = 0;
  std::string unit, index;
  bool action_lines = true, details = false;
  std::uint64_t retries = 0;  ///< of documents that were rejected with 429
};

/// Sums up the attempts of one bulk. The order outlives it.
class BulkTally {
 public:
  explicit BulkTally(const BulkOrder& order) : order_(order), pending_(order.documents) {}

  void add_took(std::optional<std::int64_t> took) {
    if (took) took_ms_ = took_ms_.value_or(0) + *took;
  }
  /// Of a body: bytes of all its lines, and of documents.
  void add_sizes(const std::pair<std::uint64_t, std::uint64_t>& sizes) {
    request_bytes_ += sizes.first;
    document_bytes_ += sizes.second;
  }
  void add_success(int status) {
    ok_ += pending_;
    pending_ = 0;
    worst_ = status;
    unnamed_errors_ = false;
    rejected_errors_.clear();
  }
  void add(const BulkAnswer& answer, int status);
  /// None of the documents that were still to go has arrived, as far as anybody knows.
  Outcome failed_request(Outcome out) const {
    out.items_ok = std::min(ok_, order_.documents);
    out.items_failed = out.ok ? 0 : order_.documents - out.items_ok;
    return out;
  }
  /// The rejected documents go out again.
  void start_retry(std::uint64_t documents) {
    pending_ = documents;
    ++retries_;
  }
  Outcome outcome() const;
  std::uint64_t pending() const { return pending_; }

 private:
  Json meta() const;

  const BulkOrder& order_;
  std::uint64_t pending_, ok_ = 0, errors_seen_ = 0, retries_ = 0;
  std::optional<std::int64_t> took_ms_, ingest_took_ms_;
  bool unnamed_errors_ = false;  // the answer says "errors", but not which
  int worst_ = 0;
  std::set<BulkError> final_errors_, rejected_errors_;
  std::uint64_t request_bytes_ = 0, document_bytes_ = 0;
  Json ops_ = Json::object(), shards_histogram_ = Json::array();
};

}  // namespace pacenote
