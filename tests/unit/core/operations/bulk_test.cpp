#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <map>

#include "core/bulk_answer.hpp"
#include "core/error.hpp"
#include "core/runner.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/notes.hpp"
#include "tests/support/run.hpp"
#include "tests/support/scripted_transport.hpp"
#include "tests/support/shared.hpp"

namespace pacenote::bulk_test {

/// One client with a bulk runner in front of a scripted cluster.
struct Client {
  test::FakeClock clock;
  test::ScriptedTransport cluster{clock};
  Stop stop;
  test::KeptNotes notes;
  std::unique_ptr<Runner> runner = Registry<OperationType>::get("operation type", "bulk").runner({});

  Outcome run(const Json& params) {
    Bench bench{cluster, clock, stop, notes, "index"};
    Call call;
    call.params = &params;
    call.body = params.value("body", std::string());
    return test::run(runner->run(bench, call));
  }
  void answer(const std::string& body, int status = 200) {
    test::Reply reply;
    reply.status = status;
    reply.body = body;
    cluster.script.push_back(reply);
  }
};

Json params_of(std::uint64_t documents) {
  std::string body;
  for (std::uint64_t i = 0; i < documents; ++i)
    body += fmt::format("{{\"index\": {{\"_index\": \"x\"}}}}\n{{\"a\":{}}}\n", i);
  return {{"body", body}, {"bulk-size", documents}, {"unit", "docs"}, {"action-metadata-present", true}};
}

void script(Client& client, const Json& requests) {
  for (const Json& request : requests) {
    test::Reply reply;
    reply.status = request.at("status");
    if (request.contains("response")) reply.body = to_text(request.at("response"));
    if (request.contains("response_delay_s")) reply.failure = Failure::timeout;
    client.cluster.script.push_back(reply);
  }
}

bool same_requests(const Client& client, const Json& requests) {
  if (client.cluster.asked.size() != requests.size()) return false;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const test::Asked& asked = client.cluster.asked[i];
    const Json& expected = requests[i];
    std::string target = expected.at("path");
    if (expected.contains("query")) target += "?" + expected.at("query").get<std::string>();
    if (asked.method != expected.at("method").get<std::string>() || asked.target != target ||
        asked.media != Media::ndjson || asked.body != expected.at("body_text").get<std::string>())
      return false;
  }
  return true;
}

/// Rally's result from an Outcome, as far as both have it.
Json result_of(const Outcome& outcome) {
  Json meta = Json::object();
  meta["success"] = outcome.ok;
  if (outcome.weight.amount > 0) {
    if (outcome.took_ms) meta["took"] = *outcome.took_ms;
    meta["success-count"] = outcome.items_ok;
    meta["error-count"] = outcome.items_failed;
    meta["max-doc-status"] = outcome.status;
  }
  if (!outcome.ok) meta["error-type"] = outcome.error_type;
  if (outcome.error_type == "bulk") meta["error-description"] = outcome.error;
  for (const auto& [key, value] : outcome.meta.items()) meta[key] = value;
  return {{"weight", outcome.weight.amount}, {"unit", outcome.weight.unit}, {"meta", meta}};
}

bool same_result(const Outcome& outcome, Json expected) {
  Json& meta = expected.at("meta");
  meta.erase("index");
  meta.erase("request-status");
  if (meta.contains("http-status") && meta.at("http-status") != outcome.status) return false;
  meta.erase("http-status");
  if (meta.value("error-type", "") != "bulk") meta.erase("error-description");  // runner_test looks at those
  return nlohmann::json(result_of(outcome)) == nlohmann::json(expected);
}

bool same_wire(const Json& one) {
  const Json& call = one.at("calls")[0];
  Client client;
  script(client, call.at("requests"));
  if (call.contains("error") && call.at("requests").empty()) {
    CHECK_THROWS_AS(client.run(one.at("runner_params")), UserError);
    return client.cluster.asked.empty();
  }
  const Outcome outcome = client.run(one.at("runner_params"));
  if (!same_requests(client, call.at("requests"))) return false;
  // --on-error=abort is the executor's; here only what it goes by
  if (call.contains("error"))
    return !outcome.ok &&
           call.at("error_message").get<std::string>().find(outcome.error) != std::string::npos;
  return same_result(outcome, call.at("result"));
}

const std::map<std::string, std::string> kDifferences{
    {"bulk-retry-429-exhausted", "the description of what is still rejected is kept"},
    {"bulk-retry-429-other-errors", "errors that are not 429 stay errors"},
    {"bulk-retry-429-detailed", "details add up over the attempts"},
    {"bulk-http-429", "no hidden retries"},
    {"bulk-http-429-then-ok", "no hidden retries"},
    {"bulk-item-errors", "the type of an item's error stands before its reason (case O1)"},
    {"bulk-item-errors-abort", "the type of an item's error stands before its reason"},
    {"bulk-many-distinct-errors", "the type of an item's error stands before its reason"},
    {"bulk-detailed-errors", "the type of an item's error stands before its reason"},
};

TEST_CASE("bulk requests and results are Rally's", "[bulk]") {
  const auto path = test::shared("rally/vectors/wire/wire.json");
  if (!path) return;
  int passed = 0, listed = 0;
  const Json vectors = test::read_json(*path);
  for (const Json& one : vectors.at("cases")) {
    const auto id = one.at("id").get<std::string>();
    if (!id.starts_with("bulk-")) continue;
    INFO(id);
    const bool right = same_wire(one);
    CHECK(right != kDifferences.contains(id));
    (right ? passed : listed) += 1;
  }
  CHECK(passed + listed == 22);
  std::cout << fmt::format("vectors wire bulk: {} pass, {} listed differences\n", passed, listed);
}

TEST_CASE("an answer without errors is not parsed beyond its head", "[bulk]") {
  Client client;
  client.answer(R"({ "errors" : false, "took":12, "items": [ not JSON at all)");
  const Outcome outcome = client.run(params_of(3));
  CHECK(outcome.ok);
  CHECK(outcome.took_ms == 12);
  CHECK(outcome.items_ok == 3);
  CHECK(outcome.meta.is_null());
}

TEST_CASE("the head of an answer is read in either order and however it is filtered", "[bulk]") {
  CHECK(bulk_head(R"({"took":3,"ingest_took":1,"errors":true,"items":[)").errors == true);
  CHECK(bulk_head(R"({"errors":false,"took":3})").took_ms == 3);
  CHECK(bulk_head(R"({"x":"text","took":3})").took_ms == 3);
  CHECK(bulk_head(R"({"took":3})").errors == std::nullopt);
  CHECK(bulk_head(R"({"items":[],"errors":false})").errors == std::nullopt);
  for (const char* text : {"", "{", "[]", "{\"took", "{\"took\":", "{\"took\":12",
                           "{\"errors\":false,\"took\":1", "{\"a\\\"b\":1,\"took\":3}", "<html>"})
    CHECK(bulk_head(text).took_ms == std::nullopt);
}

TEST_CASE("an answer without any word on the documents is none", "[bulk]") {
  Client client;
  client.answer("{}");
  Outcome outcome = client.run(params_of(3));
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.items_failed == 3);
  client.answer("{}");
  Json filtered = params_of(3);
  filtered["request-params"] = {{"filter_path", "items.*.error"}};
  outcome = client.run(filtered);
  CHECK(outcome.ok);
  CHECK(outcome.items_ok == 3);
}

TEST_CASE("the documents of a request that fails have failed", "[bulk]") {
  Client client;
  client.answer(R"({"error":{"type":"rejected","reason":"full"},"status":429})", 429);
  const Outcome outcome = client.run(params_of(3));
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.items_ok == 0);
  CHECK(outcome.items_failed == 3);
}

TEST_CASE("fields behind the items count as well", "[bulk]") {
  Client client;
  client.answer(R"({"items":[{"index":{"status":201}}],"errors":false,"took":8})");
  const Outcome outcome = client.run(params_of(1));
  CHECK(outcome.ok);
  CHECK(outcome.took_ms == 8);
}

TEST_CASE("errors that no item explains still make the bulk fail", "[bulk]") {
  Client client;
  client.answer(R"({"took":1,"errors":true})");
  const Outcome outcome = client.run(params_of(2));
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.error_type == "bulk");
  CHECK(outcome.items_ok == 0);
}

TEST_CASE("a nested cause is not taken for the reason", "[bulk]") {
  Client client;
  client.answer(
      R"({"took":1,"errors":true,"items":[{"create":{"status":400,"error":{"type":"t","reason":"outer",)"
      R"("caused_by":{"type":"u","reason":"inner"}}}}]})");
  CHECK(client.run(params_of(1)).error == "HTTP status: 400, message: t: outer");
}

TEST_CASE("a page in place of an answer is an error of the request", "[bulk]") {
  for (const char* text : {"<html>sorry</html>", "", "[1]", "5", R"({"took":1,"errors":true,"items":[{)"}) {
    Client client;
    client.answer(text);
    const Outcome outcome = client.run(params_of(1));
    CHECK_FALSE(outcome.ok);
    CHECK(outcome.error_type == "api");
    CHECK(outcome.weight.amount == 0);
  }
}

TEST_CASE("no answer is an error of the transport, and nothing is sent again", "[bulk]") {
  Client client;
  client.cluster.fail_at = 0;
  Json params = params_of(2);
  params["retries_on_429"] = 5U;
  const Outcome outcome = client.run(params);
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.error_type == "transport");
  CHECK(client.cluster.asked.size() == 1);
}

TEST_CASE("a rejected delete goes out again without a document line", "[bulk]") {
  Client client;
  client.answer(
      R"({"took":1,"errors":true,"items":[{"delete":{"status":429}},{"index":{"status":201}},{"index":{"status":429}}]})");
  client.answer(R"({"took":1,"errors":false})");
  Json params = params_of(2);
  params["body"] = "{\"delete\":{}}\n" + params.at("body").get<std::string>();
  params["bulk-size"] = 3;
  params["retries_on_429"] = 1U;
  CHECK(client.run(params).ok);
  REQUIRE(client.cluster.asked.size() == 2);
  CHECK(client.cluster.asked[1].body == "{\"delete\":{}}\n{\"index\": {\"_index\": \"x\"}}\n{\"a\":1}\n");
}

TEST_CASE("documents that stay rejected are counted once", "[bulk]") {
  Client client;
  client.answer(
      R"({"took":1,"errors":true,"items":[{"index":{"status":429}},{"index":{"status":400}},{"index":{"status":201}}]})");
  client.answer(R"({"took":1,"errors":true,"items":[{"index":{"status":429}}]})");
  Json params = params_of(3);
  params["retries_on_429"] = 1U;
  const Outcome outcome = client.run(params);
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.items_ok == 1);
  CHECK(outcome.items_failed == 2);
  CHECK(outcome.error == "HTTP status: 400 | HTTP status: 429");
  CHECK(outcome.status == 429);
}

TEST_CASE("rejected documents are not sent again once the race is stopped", "[bulk]") {
  Client client;
  client.stop.request(StopReason::user);
  client.answer(R"({"took":1,"errors":true,"items":[{"index":{"status":429}}]})");
  Json params = params_of(1);
  params["retries_on_429"] = 3U;
  CHECK_FALSE(client.run(params).ok);
  CHECK(client.cluster.asked.size() == 1);
}

TEST_CASE("a plug-in may give the body as a list of lines", "[bulk]") {
  Client client;
  client.answer(R"({"took":1,"errors":false})");
  Bench bench{client.cluster, client.clock, client.stop, client.notes, "index"};
  const Json params{{"body", Json::array({R"({"index":{}})", Json{{"a", 1}}})},
                    {"bulk-size", 1},
                    {"unit", "docs"},
                    {"action-metadata-present", true}};
  Call call;
  call.params = &params;
  CHECK(test::run(client.runner->run(bench, call)).weight.amount == 1);
  CHECK(client.cluster.asked[0].body == "{\"index\":{}}\n{\"a\":1}\n");
}

}  // namespace pacenote::bulk_test
