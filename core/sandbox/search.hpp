// A search from request to hits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/sandbox/query.hpp"

namespace pacenote::sandbox {

struct SortKey {
  std::string field;
  bool descending = false;
};

struct SearchRequest {
  Query query;
  Json body = Json::object();
  std::uint64_t size = 10, from = 0;
  std::uint64_t track = 10'000;  ///< hits are counted up to here
  std::vector<SortKey> sort;
  std::string pit;         ///< id of a point in time; empty: the index as it is now
  bool every_hit = false;  ///< sorting and aggregations look at all of them, not only at those that are shown
};

struct Hit {
  const Index* index;
  const Document* document;
};

/// `total` is exact while the index keeps all its documents, and for match_all; else a lower bound.
struct Found {
  std::vector<Hit> hits;  ///< kept documents that match, in the order they came
  std::uint64_t total = 0;
  bool exact = true;
};

std::optional<Answer> read_search(const Call& call, const Json& body, SearchRequest& request);
Answer run_search(State& state, const Call& call, const std::vector<std::string>& names,
                  const SearchRequest& request, const std::string& scroll_id);

// point_in_time.cpp
/// The answer to a search in one that is not there.
Answer no_search_context(const std::string& id);

// hits.cpp
/// `ends`: of the point in time, by shard; null: none.
void find(const Index& index, const SearchRequest& request, Found& found,
          const std::vector<std::uint64_t>* ends = nullptr);
void order(const SearchRequest& request, Found& found);
/// "hits":{…}
void append_hits(std::string& out, const State& state, const SearchRequest& request, const Found& found);

}  // namespace pacenote::sandbox
