// Trouble on demand: which requests, and what happens to them.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hpp"

namespace pacenote::sandbox {

enum class FaultKind : std::uint8_t {
  none,
  status,
  items,
  reset,
  hang,
  not_http,
  truncate,
  huge_head,   ///< header lines without end
  huge_body,   ///< chunks without end
  gzip_bomb,   ///< a small body that unpacks to more than a client takes
  half_close,  ///< the answer; then this side says that it is done, and leaves the connection open
  interim,     ///< the answer, after a 100 Continue that nobody asked for
  chunked,     ///< the answer, in small chunks
  trickle,     ///< the answer, a tenth every 5 ms
  slow_read,   ///< the request is read in pieces of 16 kB, one every ms
};

/// Parts of a spec, separated by commas:
///   which:  path=GLOB (`*` is any text, the query does not count), method=NAME
///   when:   nth=N, from=N, to=N, every=N (counting the requests that fit, from 1),
///           after=TIME, for=TIME (since the first that fits, or with since=start since the server's start)
///   what:   status=CODE, items-failed=N, items-status=CODE, reset, hang, not-http, truncate,
///           huge-head, huge-body, gzip-bomb, half-close, interim, chunked, trickle, slow-read,
///           delay=TIME, hold (answered when the time window ends; needs for=),
///           body=TEXT (answered instead; takes the rest of the spec; alone it means status=200)
/// Example: "path=*/_search,from=5,to=9,delay=200ms".
struct Fault {
  std::string path = "*", method;
  std::uint64_t from = 1, to = ~std::uint64_t{0}, every = 1;
  std::optional<Duration> after, lasts;
  bool since_start = false;
  FaultKind kind = FaultKind::none;
  Duration delay{};
  bool hold = false;
  int status = 200, items_status = 400;
  std::size_t items_failed = 0;
  std::optional<std::string> body;
};

/// UserError for a spec that does not parse.
Fault parse_fault(const std::string& spec);

/// What happens to one request: the delays of all faults that apply, the kind of the first that has one.
struct Effect {
  FaultKind kind = FaultKind::none;
  Duration delay{};
  Instant not_before{};
  int status = 200, items_status = 400;
  std::size_t items_failed = 0;
  std::optional<std::string> body;
};

struct ErrorText {
  std::string type, reason;
};
/// What a product says with this status.
ErrorText injected_error(int status);

/// Counts requests against faults. Any thread.
class FaultPlan {
 public:
  FaultPlan(std::vector<Fault> faults, Instant started);
  Effect next(std::string_view method, std::string_view path, Instant now);
  void replace(std::vector<Fault> faults, Instant now);  ///< counts begin anew
  bool empty() const;

 private:
  struct Counted {
    Fault fault;
    std::uint64_t count = 0;
    std::optional<Instant> first;
  };
  bool applies(Counted& counted, Instant now) const;
  Instant begin_of(const Counted& counted) const;

  mutable std::mutex mutex_;
  std::vector<Counted> faults_;
  Instant started_;
};

}  // namespace pacenote::sandbox
