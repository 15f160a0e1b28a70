// Differential test: every operation type we have against the requests that Rally's own runner sent.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <map>
#include <optional>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"
#include "tests/unit/core/operations/wire_case.hpp"

namespace pacenote::wire_test {

using test::Trace;
using test::WireCase;

/// Cases that differ on purpose, by id.
const std::map<std::string, std::string> kDifferences = {
    {"search-all", "options hold for every request, not only the first"},
    {"search-ignore-404", "options hold for every request, not only the first"},
    {"raw-ignore", "options hold for every request, not only the first"},
    {"raw-ignore-request-params", "options hold for every request, not only the first"},
    {"raw-post-json", "a path that has a query gets no second question mark, null is not sent"},
    {"search-detailed-after-hits", "took is found wherever it stands"},
    {"cluster-health-green", "the server's wait is cut into pieces"},
    {"cluster-health-yellow", "the server's wait is cut into pieces"},
    {"cluster-health-yellow-abort", "the server's wait is cut into pieces"},
    {"cluster-health-retry", "the server's wait is cut into pieces"},
    {"cluster-health-unknown-status", "the server's wait is cut into pieces"},
    {"cluster-health-relocating", "wait_for_no_relocating_shards=false asks for nothing"},
    {"force-merge-track", "request-params are sent"},
    {"create-composable-settings", "request-timeout is kept"},
    {"downsample", "request-params are sent"},
    {"esql-all", "options hold for every request, not only the first"},
    {"restore-snapshot-wait", "options hold for every request, not only the first"},
    {"scroll-no-size", "no size is asked for where none is given"},
    {"paginated-second-call", "each call begins at the first page"},
    {"composite-agg-second-call", "each call begins at the first page"},
    {"composite-nested", "parts of a composite in a composite stand beside the others"},
    {"async-submit-alone", "an empty body is a body"},
    {"composite-pit-missing-in-response", "an answer that lacks something is a failed request"},
    {"sql-exhausted", "an answer that lacks something is a failed request"},
    {"esql-profile-missing", "an answer that lacks something is a failed request"},
    {"shrink-no-data-node", "an answer that lacks something is a failed request"},
    {"wait-snapshot-failed", "a snapshot that failed is a failed request"},
    {"wait-snapshot-zero-time", "what took no time has no throughput"},
    {"wait-for-recovery-instant", "what took no time has no throughput"},
    {"run-until-exists", "run-until waits between all tries"},
    {"delete-snapshot-repository", "it works"},
    {"delete-snapshot-repository-b", "it works"},
    {"shrink", "shrink-index waits while shards move"},
    {"start-datafeed-body", "a datafeed's body is sent"},
    {"delete-datafeed-fallback", "Elasticsearch 6 gets the same request on its path"},
    {"start-datafeed-fallback", "Elasticsearch 6 gets the same request on its path"},
    {"stop-datafeed-fallback", "Elasticsearch 6 gets the same request on its path"},
    {"close-job-fallback", "Elasticsearch 6 gets the same request on its path"},
};

bool is_transport_retry(const Json& one, const Json& next) {
  const std::set<int> repeated = {429, 502, 503, 504};
  if (one.contains("sleep_s") || next.contains("sleep_s")) return false;
  return repeated.count(one.at("status")) == 1 && test::comparable(one) == test::comparable(next);
}

/// Rally's client repeats these below the runner; ours repeats nothing unless asked to.
Json without_transport_retries(Json call, std::string& rule) {
  const Json all = call.value("requests", Json::array());
  Json kept = Json::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + 1 < all.size() && is_transport_retry(all[i], all[i + 1]))
      rule = "no hidden repetition of requests";
    else
      kept.push_back(all[i]);
  }
  call["requests"] = kept;
  return call;
}

/// Rally's result with the fields removed that ours has in its own words; `rule` says so.
std::pair<Json, Json> without_own_words(Json expected, Json actual, std::string& rule) {
  if (!expected.contains("meta") || !actual.contains("meta")) return {expected, actual};
  Json& meta = actual["meta"];
  if (!expected["meta"].contains("error-type")) {
    if (meta.value("error-type", "") == "condition") {
      for (const char* key : {"error-type", "error-description", "http-status"}) meta.erase(key);
      rule = "an unmet wish says why";
    }
  } else if (meta.value("error-description", "") != expected["meta"]["error-description"] &&
             !meta.value("error-description", "").empty()) {
    meta["error-description"] = expected["meta"]["error-description"];
    rule = "errors in our own words";
  }
  return {expected, actual};
}

/// Nothing, or how the call differs.
std::string difference(WireCase& tested, const Json& whole, const Json& written, std::string& rule) {
  const Json call = without_transport_retries(written, rule);
  const Trace trace = tested.run(call);
  std::vector<Json> expected;
  for (const Json& entry : call["requests"]) expected.push_back(test::comparable(entry));
  for (std::size_t i = 0; i < std::max(expected.size(), trace.events.size()); ++i) {
    const Json want = i < expected.size() ? expected[i] : Json();
    const Json have = i < trace.events.size() ? trace.events[i] : Json();
    // Ordered objects compare by order too, which only matters inside bodies.
    const bool same = nlohmann::json(want) == nlohmann::json(have);
    const bool unsent = call.contains("error") && trace.result.contains("error") && have.is_null();
    if (!same && !unsent) return fmt::format("#{}: want {}\n     have {}", i, want.dump(), have.dump());
  }
  const bool aborts = whole.value("on_error", "") == "abort" && trace.result.contains("meta");
  if (aborts) return trace.result["meta"]["success"] == false ? "" : "not a failure";
  if (call.contains("error"))
    return trace.result.contains("error") ? "" : fmt::format("no error: {}", trace.result.dump());
  const auto [want, have] = without_own_words(call["result"], trace.result, rule);
  if (nlohmann::json(want) == nlohmann::json(have)) return "";
  return fmt::format("want {}\n     have {}", want.dump(), have.dump());
}

std::string difference(const Json& whole, const Json& track, std::string& rule) {
  WireCase tested(whole, track);
  for (const Json& call : whole.at("calls")) {
    std::string found = difference(tested, whole, call, rule);
    if (!found.empty()) return found;
  }
  return "";
}

std::string type_of(const Json& whole) {
  const Json& object = whole.contains("operation") ? whole["operation"] : whole.at("runner_params");
  return object.value("operation-type", "");
}

TEST_CASE("operations send what Rally's runners send", "[wire]") {
  const auto path = test::shared("rally/vectors/wire/wire.json");
  if (!path) return;
  const Json vectors = test::read_json(*path);
  int passed = 0, left_out = 0, elsewhere = 0;
  std::map<std::string, int> differences;
  for (const Json& whole : vectors.at("cases")) {
    const std::string id = whole.at("id");
    if (whole.contains("client_options") || type_of(whole) == "bulk") {
      ++elsewhere;
      continue;
    }
    if (Registry<OperationType>::find(type_of(whole)) == nullptr) {
      ++left_out;
      continue;
    }
    std::string rule;
    const std::string found = difference(whole, vectors.at("tracks").at(whole.value("track", "none")), rule);
    const auto listed = kDifferences.find(id);
    INFO(id << ": " << found);
    CHECK(found.empty() == (listed == kDifferences.end()));  // neither unlisted nor listed for nothing
    if (!found.empty()) rule = listed == kDifferences.end() ? "NOT LISTED" : listed->second;
    if (rule.empty())
      ++passed;
    else
      ++differences[rule];
  }
  int differ = 0;
  for (const auto& [rule, count] : differences) differ += count;
  std::cout << fmt::format("vectors wire: {} pass, {} listed differences\n", passed, differ);
  for (const auto& [rule, count] : differences) std::cout << fmt::format("  {:3} {}\n", count, rule);
  std::cout << fmt::format("  {:3} left out: the operation type is not there yet\n", left_out);
  std::cout << fmt::format("  {:3} left out: bulk and the client's own options have their own tests\n",
                           elsewhere);
}

}  // namespace pacenote::wire_test
