// Operation type bulk (esrally docs: "bulk"; rally runner.py BulkIndex; behaviour B.3). The documents come
// from core/bulk_source, the answer is read by core/bulk_answer, attempts are summed up by bulk_tally.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/bulk_answer.hpp"
#include "core/bulk_source.hpp"
#include "core/error.hpp"
#include "core/operations/bulk_tally.hpp"
#include "core/runner.hpp"

namespace pacenote {
namespace {

const Json& mandatory(const Json& params, const char* key) {
  const auto it = params.find(key);
  if (it == params.end() || it->is_null())
    throw UserError(fmt::format("the parameter source of a bulk did not give [{}]", key),
                    "add it to what the parameter source returns");
  return *it;
}

std::string plain_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : to_text(value);
}

/// Query string of the request, "" or "?a=b&c=d", keys ascending.
std::string bulk_query(const Json& params) {
  std::map<std::string, std::string> query;
  if (const auto it = params.find("request-params"); it != params.end() && it->is_object())
    for (const auto& [name, value] : it->items())
      if (!value.is_null() && name != "ignore") query[name] = plain_text(value);
  for (const char* key : {"pipeline", "refresh", "timeout"})
    if (const auto it = params.find(key); it != params.end() && !it->is_null()) query[key] = plain_text(*it);
  std::string out;
  for (const auto& [name, value] : query)
    out += fmt::format("{}{}={}", out.empty() ? '?' : '&', url_encode(name), url_encode(value));
  return out;
}

void check_refresh(const Json& params) {
  const auto it = params.find("refresh");
  if (it == params.end()) return;
  if (*it == "true" || *it == "false" || *it == "wait_for") return;
  throw UserError(fmt::format("[refresh] of a bulk cannot be {}", to_text(*it)),
                  "use one of the texts \"true\", \"false\", \"wait_for\"");
}

bool flag(const Json& params, const char* key) {
  const auto it = params.find(key);
  return it != params.end() && (*it == true || *it == "true");
}

BulkOrder order_of(const Call& call) {
  const Json& params = *call.params;
  check_refresh(params);
  BulkOrder order;
  order.action_lines = flag(params, "action-metadata-present");
  mandatory(params, "action-metadata-present");
  order.index = call.index;
  order.unit = plain_text(mandatory(params, "unit"));
  order.documents = call.documents > 0 ? call.documents : mandatory(params, "bulk-size").get<std::uint64_t>();
  order.details = flag(params, "detailed-results");
  if (const auto it = params.find("retries_on_429"); it != params.end() && it->is_number_unsigned())
    order.retries = it->get<std::uint64_t>();
  const std::string index =
      order.action_lines ? "" : fmt::format("/{}", url_encode(plain_text(mandatory(params, "index"))));
  order.target = fmt::format("{}/_bulk{}", index, bulk_query(params));
  return order;
}

/// Reads lines off the front of a body; a view without the newline.
std::string_view take_line(std::string_view& body) {
  const std::size_t end = std::min(body.find('\n'), body.size());
  const std::string_view line = body.substr(0, end);
  body.remove_prefix(std::min(end + 1, body.size()));
  return line;
}

/// The lines of the items that were rejected, for the next attempt.
std::string rejected_lines(std::string_view body, const BulkAnswer& answer, bool action_lines) {
  std::string out;
  auto next = answer.rejected.begin();
  for (std::uint64_t item = 0; item < answer.items && next != answer.rejected.end(); ++item) {
    const bool rejected = item == *next;
    next += rejected ? 1 : 0;
    const int lines = action_lines && !answer.is_delete[item] ? 2 : 1;
    for (int i = 0; i < lines; ++i) {
      const std::string_view line = take_line(body);
      if (rejected) out.append(line).append("\n");
    }
  }
  return out;
}

/// Bytes of the lines of a body, newlines left out: of all, and of documents alone.
std::pair<std::uint64_t, std::uint64_t> sizes_of(std::string_view body, bool action_lines) {
  std::uint64_t all = 0, documents = 0;
  for (bool action = action_lines; !body.empty(); action = action_lines && !action) {
    const std::size_t size = take_line(body).size();
    all += size;
    documents += action ? 0 : size;
  }
  return {all, documents};
}

/// A 200 that no search engine wrote: a proxy's page, say.
Outcome not_an_answer(const Response& response) {
  Outcome out;
  out.ok = false;
  out.weight.amount = 0;
  out.status = response.status;
  out.error_type = "api";
  out.error = "the answer to the bulk is none: it has neither items nor errors";
  return out;
}

/// Of the beginning of an answer: its items need not be looked at.
bool all_went_well(std::string_view body) {
  const BulkHead head = bulk_head(body);
  return head.errors == false && head.took_ms;
}

class Bulk final : public Runner {
 public:
  Async<Outcome> run(Bench& bench, const Call& call) override {
    order_ = order_of(call);
    // Who looks at the documents has to read them; else a slice of a file is sent unread.
    const bool unread = call.slice && !order_.details && order_.retries == 0;
    std::string_view body = unread ? std::string_view() : body_of(call);
    BulkTally tally(order_);
    for (std::uint64_t attempt = 0;; ++attempt) {
      Request request = unread ? Request(Method::put, order_.target, *call.slice, Media::ndjson)
                               : Request(Method::put, order_.target, body, Media::ndjson);
      if (!order_.details) request.enough = all_went_well;
      const Response response = co_await bench.cluster.send(request);
      if (!response.ok()) co_return tally.failed_request(outcome_of(response, call.options));
      if (order_.details) tally.add_sizes(sizes_of(body, order_.action_lines));
      const BulkHead head = bulk_head(response.body);
      tally.add_took(head.took_ms);
      if (head.errors == false && !order_.details) {
        tally.add_success(response.status);
        co_return tally.outcome();
      }
      const std::optional<BulkAnswer> answer = read_bulk_answer(response.body, order_.details);
      if (!answer || (!answer->names_result && order_.target.find("filter_path") == std::string::npos))
        co_return tally.failed_request(not_an_answer(response));
      if (!head.took_ms) tally.add_took(answer->took_ms);
      const bool again = attempt < order_.retries && !answer->rejected.empty() && !bench.stop.requested() &&
                         answer->items == tally.pending();
      tally.add(*answer, response.status);
      if (!again) co_return tally.outcome();
      tally.start_retry(answer->rejected.size());
      retry_body_ = rejected_lines(body, *answer, order_.action_lines);
      body = retry_body_;
    }
  }

 private:
  /// From the source, from a file, or from a plug-in's parameters: there a text, or a list of lines.
  std::string_view body_of(const Call& call) {
    if (call.slice) {
      call.slice->read(own_body_);
      return own_body_;
    }
    if (!call.body.empty()) return call.body;
    const Json& params = *call.params;
    const Json& body = mandatory(params, "body");
    own_body_.clear();
    if (!body.is_array())
      own_body_ = plain_text(body);
    else
      for (const Json& line : body) own_body_.append(plain_text(line)).append("\n");
    return own_body_;
  }

  BulkOrder order_;
  std::string own_body_, retry_body_;
};

std::unique_ptr<Runner> make_bulk(const Operation&) { return std::make_unique<Bulk>(); }

const Registered<OperationType> bulk_type{
    "bulk", OperationType{.help = "Sends documents of the track's corpora in bulk requests.",
                          .runner = make_bulk,
                          .params = bulk_source}};

}  // namespace
}  // namespace pacenote
