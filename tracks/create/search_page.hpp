// One page of a search answer as lines of a corpus.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pacenote::tracks {

struct SearchPage {
  std::string lines;  ///< each hit's _source with the bytes that the engine sent, on a line of its own
  std::uint64_t documents = 0, without_source = 0;
  std::string last_sort;  ///< the last hit's `sort`, JSON text; empty: it has none
  std::string cursor;     ///< `pit_id` or `_scroll_id`; empty: none
  bool whole = false;     ///< in time, and no shard failed
};

/// None where `body` is no search answer. Values are not parsed: numbers and escapes stay as they are.
std::optional<SearchPage> read_search_page(std::string_view body);

}  // namespace pacenote::tracks
