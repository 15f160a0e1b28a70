#include "tracks/create/pager.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/text.hpp"

namespace pacenote::tracks {
namespace {

/// How long a point in time outlives its last page: so long may a cut last.
constexpr std::string_view kKeepAlive = "15m";
constexpr int kTries = 5;
constexpr Duration kFirstWait = std::chrono::seconds(1);

bool worth_another_try(const Response& response) {
  if (response.status == 0) return response.failure != Failure::interrupted;
  return response.status == 429 || response.status == 502 || response.status == 503 || response.status == 504;
}

std::pair<int, int> version_of(const std::string& text) {
  int major = 0, minor = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, major);
  if (first.ptr != end) std::from_chars(first.ptr + 1, end, minor);
  return {major, minor};
}

std::string cursor_in(std::string_view body) {
  const Json answer = pacenote::parse_json(body);
  if (!answer.is_object()) return {};
  for (const char* key : {"id", "pit_id"})
    if (answer.contains(key) && answer[key].is_string()) return answer[key].get<std::string>();
  return {};
}

std::string in_quotes(const std::string& text) { return to_text(Json(text)); }

/// Without ids, which are long and tell nobody anything.
std::string asked_for(const std::string& index) { return fmt::format("the documents of index [{}]", index); }

}  // namespace

[[noreturn]] void refused_by_cluster(const Response& response, const std::string& what) {
  if (response.failure == Failure::interrupted)
    throw UserError(fmt::format("interrupted while {} were read", what),
                    "the same command goes on where this one stopped", ExitCode::interrupted);
  if (response.status == 0)
    throw UserError(fmt::format("{} could not be read: {}", what, response.error),
                    "run the same command again: it goes on where it stopped");
  const Json answer = pacenote::parse_json(response.body);
  std::string reason(response.body.substr(0, 200));
  if (answer.is_object() && answer.contains("error") && answer["error"].is_object())
    reason = answer["error"].value("reason", reason);
  throw UserError(
      fmt::format("{} could not be read: status {}, {}", what, response.status, printable(reason)),
      "run the same command again: it goes on where it stopped");
}

Paging paging_of(const ClusterInfo& cluster) {
  const auto version = version_of(cluster.version);
  if (cluster.product == Product::elasticsearch && (version >= std::pair(7, 12) || version.first == 0))
    return Paging::whole;  // serverless names no version that counts
  if (cluster.product == Product::elasticsearch && version >= std::pair(7, 10)) return Paging::shards;
  if (cluster.product == Product::opensearch && version >= std::pair(2, 4)) return Paging::shards;
  return Paging::scroll;
}

Pager::Pager(Transport& cluster, Clock& clock, Reading reading, ReadingPlace from)
    : cluster_(cluster), clock_(clock), reading_(std::move(reading)), place_(std::move(from)) {
  make_parts();
}

void Pager::make_parts() {
  parts_.clear();
  for (const SourceIndex& source : reading_.sources) {
    if (place_.paging != Paging::shards) parts_.push_back({source.name, ""});
    for (std::uint32_t shard = 0; place_.paging == Paging::shards && shard < source.shards; ++shard)
      parts_.push_back({source.name, fmt::format("_shards:{}", shard)});
  }
}

Async<Response> Pager::send(Method method, std::string target, std::string body, bool again) {
  const Request request(method, std::move(target), body);
  Response response = co_await cluster_.send(request);
  Duration wait = kFirstWait;
  for (int n = 1; again && n < kTries && worth_another_try(response); ++n) {
    const Instant then = clock_.now() + wait;
    co_await clock_.sleep_until(then);
    wait *= 2;
    response = co_await cluster_.send(request);
  }
  co_return response;
}

/// False: this cluster has no points in time.
Async<bool> Pager::open() {
  const Part& part = parts_[place_.part];
  const std::string api = reading_.opensearch ? "_search/point_in_time" : "_pit";
  std::string target = fmt::format("/{}/{}?keep_alive={}", url_encode(part.index), api, kKeepAlive);
  if (!part.preference.empty()) target += fmt::format("&preference={}", url_encode(part.preference));
  const Response response = co_await send(Method::post, std::move(target), {}, true);
  const bool unknown = response.status == 400 || response.status == 404 || response.status == 405;
  if (unknown && place_.part == 0) co_return false;
  place_.cursor = response.ok() ? cursor_in(response.body) : std::string();
  if (place_.cursor.empty()) refused_by_cluster(response, asked_for(part.index));
  co_return true;
}

/// What cannot be closed closes itself after a while.
Async<void> Pager::close() {
  if (place_.cursor.empty()) co_return;
  const std::string id = in_quotes(place_.cursor);
  std::string target = "/_pit", body = fmt::format("{{\"id\":{}}}", id);
  if (place_.paging == Paging::scroll) {
    target = "/_search/scroll";
    body = fmt::format("{{\"scroll_id\":[{}]}}", id);
  } else if (reading_.opensearch) {
    target = "/_search/point_in_time";
    body = fmt::format("{{\"pit_id\":[{}]}}", id);
  }
  place_.cursor.clear();
  place_.after.clear();
  co_await send(Method::del, std::move(target), std::move(body), false);
}

std::string Pager::page_body() const {
  const std::string_view sort = place_.paging == Paging::whole ? "_shard_doc" : "_seq_no";
  std::string out = fmt::format(
      R"({{"size":{},"track_total_hits":false,"sort":[{{"{}":"asc"}}],"pit":{{"id":{},"keep_alive":"{}"}})",
      reading_.batch, sort, in_quotes(place_.cursor), kKeepAlive);
  if (!place_.after.empty()) out += fmt::format(R"(,"search_after":{})", place_.after);
  return out + "}";
}

Async<Pager::Found> Pager::ask(SearchPage& page) {
  const std::string what = asked_for(parts_[place_.part].index);
  std::string target = "/_search", body;
  const bool scroll = place_.paging == Paging::scroll;
  if (!scroll) {
    body = page_body();
  } else if (place_.cursor.empty()) {
    target = fmt::format("/{}/_search?scroll={}", url_encode(parts_[place_.part].index), kKeepAlive);
    body = fmt::format(R"({{"size":{},"sort":["_doc"]}})", reading_.batch);
  } else {
    target = "/_search/scroll";
    body = fmt::format(R"({{"scroll":"{}","scroll_id":{}}})", kKeepAlive, in_quotes(place_.cursor));
  }
  // A scroll that moved on although its answer got lost would leave documents out.
  const bool again = !scroll || place_.cursor.empty();
  const Response response = co_await send(Method::post, std::move(target), std::move(body), again);
  if (response.status == 404 && !place_.cursor.empty()) co_return Found::lost;
  if (!response.ok()) refused_by_cluster(response, what);
  std::optional<SearchPage> read = read_search_page(response.body);
  if (!read)
    throw UserError(fmt::format("{}: the answer is no search answer", what),
                    "is there a proxy between here and the cluster?");
  if (!read->whole)
    throw UserError(fmt::format("{}: not every shard answered", what),
                    "wait until the index is green or yellow, then run the same command again");
  if (read->without_source > 0)
    throw UserError(
        fmt::format("{}: {} of {} in a page have no _source", what, read->without_source, read->documents),
        "an index that does not keep its documents cannot become a track");
  page = std::move(*read);
  co_return Found::page;
}

Async<Pager::Found> Pager::next(SearchPage& page) {
  while (place_.part < parts_.size()) {
    if (place_.cursor.empty() && place_.paging != Paging::scroll) {
      const bool opened = co_await open();
      if (!opened) {
        place_.paging = Paging::scroll;
        make_parts();
      }
    }
    const Found found = co_await ask(page);
    if (found == Found::lost) co_return found;
    if (!page.cursor.empty()) place_.cursor = page.cursor;
    place_.after = page.last_sort;
    if (page.documents > 0) co_return Found::page;
    co_await close();
    ++place_.part;
  }
  co_return Found::end;
}

}  // namespace pacenote::tracks
