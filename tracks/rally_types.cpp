#include "tracks/rally_types.hpp"

#include <algorithm>
#include <iterator>

namespace pacenote::tracks {
namespace {

// Sorted.
constexpr std::string_view kEverybody[] = {"bulk",
                                           "close-ml-job",
                                           "close-point-in-time",
                                           "cluster-health",
                                           "composite",
                                           "composite-agg",
                                           "create-component-template",
                                           "create-composable-template",
                                           "create-data-stream",
                                           "create-index",
                                           "create-ml-datafeed",
                                           "create-ml-job",
                                           "create-transform",
                                           "delete-async-search",
                                           "delete-component-template",
                                           "delete-composable-template",
                                           "delete-data-stream",
                                           "delete-index",
                                           "delete-ml-datafeed",
                                           "delete-ml-job",
                                           "delete-transform",
                                           "enrich-policy",
                                           "esql",
                                           "esql-profile",
                                           "field-caps",
                                           "get-async-search",
                                           "open-ml-job",
                                           "open-point-in-time",
                                           "paginated-search",
                                           "put-pipeline",
                                           "raw-request",
                                           "refresh",
                                           "run-until",
                                           "scroll-search",
                                           "search",
                                           "sleep",
                                           "sql",
                                           "start-ml-datafeed",
                                           "start-transform",
                                           "stop-ml-datafeed",
                                           "submit-async-search",
                                           "transform-stats",
                                           "wait-for-transform"};
constexpr std::string_view kOperators[] = {"create-snapshot",
                                           "create-snapshot-repository",
                                           "delete-snapshot-repository",
                                           "downsample",
                                           "force-merge",
                                           "index-stats",
                                           "node-stats",
                                           "put-settings",
                                           "restore-snapshot",
                                           "wait-for-current-snapshots-create",
                                           "wait-for-recovery",
                                           "wait-for-snapshot-create"};
constexpr std::string_view kNobody[] = {"create-ilm-policy", "create-index-template", "delete-ilm-policy",
                                        "delete-index-template", "shrink-index"};

template <std::size_t n>
bool among(std::string_view name, const std::string_view (&names)[n]) {
  return std::binary_search(std::begin(names), std::end(names), name);
}

}  // namespace

std::optional<Serverless> rally_type(std::string_view name) {
  if (among(name, kEverybody)) return Serverless::everybody;
  if (among(name, kOperators)) return Serverless::operators;
  if (among(name, kNobody)) return Serverless::nobody;
  return std::nullopt;
}

}  // namespace pacenote::tracks
