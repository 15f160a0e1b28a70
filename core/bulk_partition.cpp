#include "core/bulk_partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace pacenote {
namespace {

std::uint64_t from_doc_count(std::uint64_t wanted, std::uint64_t bulk_size, const Operation& operation,
                             const std::vector<CorpusSelection>& corpora, const Share& share) {
  std::uint64_t available = 0;
  for (const CorpusSelection& corpus : corpora)
    for (const Documents* documents : corpus.documents) available += documents->count;
  if (wanted > available)
    throw UserError(fmt::format("operation [{}]: [ingest-doc-count] is {}, but its corpora have {} documents",
                                operation.name, wanted, available),
                    "lower ingest-doc-count, or name more corpora");
  const std::uint64_t ours = wanted / share.total * (share.last - share.first + 1);
  if (ours % bulk_size != 0)
    throw UserError(fmt::format("operation [{}]: [ingest-doc-count] leaves {} documents to clients {} to {}, "
                                "which is no multiple of bulk-size ({})",
                                operation.name, ours, share.first, share.last, bulk_size),
                    "choose ingest-doc-count as a multiple of clients and bulk-size");
  return ours / bulk_size;
}

}  // namespace

Slice slice_of(const Documents& documents, const Share& share) {
  const double per_client = static_cast<double>(documents.count) / share.total;
  const double first = std::nearbyint(per_client * share.first);
  const double end = std::nearbyint(per_client * (share.last + 1));
  return {&documents, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(end - first)};
}

std::vector<Slice> slices(const std::vector<CorpusSelection>& corpora, const Share& share) {
  std::vector<std::vector<Slice>> queues;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < corpora.size(); ++i) {
    std::vector<Slice> queue;
    for (const Documents* documents : corpora[(i + share.first) % corpora.size()].documents)
      if (const Slice slice = slice_of(*documents, share); slice.count > 0) queue.push_back(slice);
    longest = std::max(longest, queue.size());
    queues.push_back(std::move(queue));
  }
  std::vector<Slice> out;
  for (std::size_t round = 0; round < longest; ++round)
    for (const std::vector<Slice>& queue : queues)
      if (round < queue.size()) out.push_back(queue[round]);
  return out;
}

std::uint64_t total_bulks(const BulkParams& params, const Operation& operation,
                          const std::vector<CorpusSelection>& corpora, const std::vector<Slice>& slices,
                          const Share& share) {
  if (params.ingest_doc_count)
    return from_doc_count(*params.ingest_doc_count, params.bulk_size, operation, corpora, share);
  std::uint64_t all = 0;
  for (const Slice& slice : slices) all += (slice.count + params.bulk_size - 1) / params.bulk_size;
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(all) * params.ingest_percentage / 100));
}

}  // namespace pacenote
