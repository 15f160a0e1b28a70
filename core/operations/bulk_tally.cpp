#include "core/operations/bulk_tally.hpp"

namespace pacenote {
namespace {

/// Adds the counters of one object to those of another of the same name.
void add_counters(Json& sum, const Json& counters) {
  if (sum.is_null()) sum = Json::object();
  for (const auto& [name, value] : counters.items()) sum[name] = sum.value(name, 0U) + value.get<unsigned>();
}

void add_histogram(Json& sum, const Json& rows) {
  for (const Json& row : rows) {
    const auto same = [&](const Json& other) { return other.at("shards") == row.at("shards"); };
    if (const auto it = std::find_if(sum.begin(), sum.end(), same); it != sum.end())
      (*it)["item-count"] = it->at("item-count").get<unsigned>() + row.at("item-count").get<unsigned>();
    else
      sum.push_back(row);
  }
}

}  // namespace

void BulkTally::add(const BulkAnswer& answer, int status) {
  ok_ += pending_ - std::min(answer.failed, pending_);
  errors_seen_ += answer.failed;
  unnamed_errors_ = answer.errors && answer.failed == 0;
  worst_ = order_.details ? answer.max_failed_status : answer.max_status;
  if (answer.failed == 0 || worst_ == 0) worst_ = status;
  rejected_errors_.clear();
  for (const BulkError& error : answer.distinct_errors)
    (error.first == 429 ? rejected_errors_ : final_errors_).insert(error);
  if (answer.ingest_took_ms) ingest_took_ms_ = ingest_took_ms_.value_or(0) + *answer.ingest_took_ms;
  for (const auto& [action, counters] : answer.ops.items()) add_counters(ops_[action], counters);
  add_histogram(shards_histogram_, answer.shards_histogram);
}

Json BulkTally::meta() const {
  Json meta;
  if (!order_.index.empty()) meta["index"] = order_.index;
  if (order_.details) {
    meta["ops"] = ops_;
    meta["shards_histogram"] = shards_histogram_;
    meta["bulk-request-size-bytes"] = request_bytes_;
    meta["total-document-size-bytes"] = document_bytes_;
    if (ingest_took_ms_) meta["ingest_took"] = *ingest_took_ms_;
  }
  if (retries_ > 0) {
    meta["retry-count"] = retries_;
    meta["retried"] = true;
    meta["error-count"] = errors_seen_;  // Rally's: over all attempts
  }
  return meta;
}

Outcome BulkTally::outcome() const {
  std::set<BulkError> errors = final_errors_;
  errors.insert(rejected_errors_.begin(), rejected_errors_.end());
  Outcome out;
  out.ok = errors.empty() && !unnamed_errors_;
  out.weight = {static_cast<double>(order_.documents), order_.unit};
  out.status = worst_;
  for (const BulkError& error : errors) out.status = std::max(out.status, error.first);
  out.took_ms = took_ms_;
  out.items_ok = unnamed_errors_ ? 0 : std::min(ok_, order_.documents);
  out.items_failed = order_.documents - out.items_ok;
  out.meta = meta();
  if (out.ok) return out;
  out.error_type = "bulk";
  out.error = errors.empty() ? "the answer reports errors, but no item that has one" : describe(errors);
  return out;
}

}  // namespace pacenote
