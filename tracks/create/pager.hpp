// All documents of some indices, page by page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/cluster.hpp"
#include "core/transport.hpp"
#include "tracks/create/search_page.hpp"

namespace pacenote::tracks {

/// How pages follow one another. A point in time needs a sort that no two of its documents share.
enum class Paging : std::uint8_t {
  whole,   ///< one point in time an index, sorted by _shard_doc: Elasticsearch from 7.12 on
  shards,  ///< one a shard, sorted by _seq_no: Elasticsearch from 7.10, OpenSearch from 2.4 on
  scroll,  ///< all others. A page that got lost on its way cannot be asked for again
};
Paging paging_of(const ClusterInfo& cluster);

struct SourceIndex {
  std::string name;
  std::uint32_t shards = 1;
};

/// What is read and how.
struct Reading {
  std::vector<SourceIndex> sources;
  std::uint64_t batch = 1000;  ///< documents a page
  bool opensearch = false;
};

/// Where a reader is; another may go on from there as long as the point in time lives.
struct ReadingPlace {
  Paging paging = Paging::scroll;
  std::uint64_t part = 0;  ///< the part that is read, counted over all sources
  std::string cursor;      ///< id of its point in time or scroll; empty: not opened yet
  std::string after;       ///< sort values of the last document read, JSON text
};

class Pager {
 public:
  enum class Found : std::uint8_t {
    page,
    end,
    lost,  ///< the point in time that the place names is gone: all must be read from the begin
  };

  /// References outlive this.
  Pager(Transport& cluster, Clock& clock, Reading reading, ReadingPlace from);

  /// A request that fails is sent again, with growing waits, where that cannot lose documents. UserError
  /// where that does not help, names what was asked and why it failed.
  Async<Found> next(SearchPage& page);
  const ReadingPlace& place() const { return place_; }

 private:
  struct Part {
    std::string index, preference;
  };
  void make_parts();
  Async<bool> open();
  Async<void> close();
  Async<Found> ask(SearchPage& page);
  Async<Response> send(Method method, std::string target, std::string body, bool again);
  std::string page_body() const;

  Transport& cluster_;
  Clock& clock_;
  Reading reading_;
  ReadingPlace place_;
  std::vector<Part> parts_;
};

/// UserError for an answer that is no success.
[[noreturn]] void refused_by_cluster(const Response& response, const std::string& what);

}  // namespace pacenote::tracks
