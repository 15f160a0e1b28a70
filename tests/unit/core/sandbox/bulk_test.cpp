#include "core/sandbox/node.hpp"
#include "tests/unit/core/sandbox/asking.hpp"

namespace pacenote::bulk_test {

using sandbox::Flavor;
using namespace std::chrono_literals;
using test::AskedNode;

Json stats(AskedNode& node, const std::string& what = "primaries") {
  return node.ask("GET", "/_stats").json["_all"][what];
}

TEST_CASE("a bulk counts its documents once they are refreshed", "[bulk]") {
  AskedNode node;
  node.ask("PUT", "/logs", R"({"settings":{"refresh_interval":"-1","number_of_shards":3}})");
  const auto said = node.bulk("/_bulk", test::plain_bulk(500));
  CHECK(said.json["errors"] == false);
  CHECK(said.json["items"].size() == 500);
  CHECK(node.ask("GET", "/logs/_count").json["count"] == 0);
  CHECK(node.ask("POST", "/logs/_refresh").json["_shards"]["total"] == 6);
  CHECK(node.ask("GET", "/logs/_count").json["count"] == 500);
  CHECK(stats(node)["docs"]["count"] == 500);
  CHECK(stats(node, "total")["docs"]["count"] == 1000);
}

TEST_CASE("an index refreshes itself after its interval", "[bulk]") {
  AskedNode node;
  node.bulk("/_bulk", test::plain_bulk(5));
  CHECK(node.ask("GET", "/logs/_count").json["count"] == 0);
  node.pass(1s);
  CHECK(node.ask("GET", "/logs/_count").json["count"] == 5);
  CHECK(stats(node)["segments"]["count"] == 1);
}

TEST_CASE("index, create, update and delete answer as the products do", "[bulk]") {
  AskedNode node;
  node.ask("PUT", "/i", R"({"settings":{"number_of_replicas":0}})");
  const auto said = node.bulk(
      "/i/_bulk?refresh=true",
      "{\"index\":{\"_id\":\"1\"}}\n{\"a\":1}\n{\"create\":{\"_id\":\"1\"}}\n{\"a\":2}\n"
      "{\"update\":{\"_id\":\"1\"}}\n{\"doc\":{\"b\":2}}\n{\"update\":{\"_id\":\"1\"}}\n{\"doc\":{\"b\":2}}\n"
      "{\"update\":{\"_id\":\"2\"}}\n{\"doc\":{}}\n{\"delete\":{\"_id\":\"9\"}}\n"
      "{\"index\":{\"_id\":\"1\"}}\n{\"a\":3}\n{\"index\":{\"_id\":\"3\"}}\n{\"a\":}\n");
  const Json& items = said.json["items"];
  CHECK(said.json["errors"] == true);
  CHECK(
      items[0]["index"].dump() ==
      R"({"_index":"i","_id":"1","_version":1,"result":"created","_shards":{"total":1,"successful":1,"failed":0},"_seq_no":0,"_primary_term":1,"status":201})");
  CHECK(items[1]["create"]["status"] == 409);
  CHECK(items[1]["create"]["error"]["type"] == "version_conflict_engine_exception");
  CHECK(items[2]["update"]["result"] == "updated");
  CHECK(items[3]["update"]["result"] == "noop");
  CHECK(items[4]["update"]["error"]["type"] == "document_missing_exception");
  CHECK(items[5]["delete"]["result"] == "not_found");
  CHECK(items[5]["delete"]["status"] == 404);
  CHECK(items[6]["index"]["_version"] == 3);
  CHECK(items[7]["index"]["error"]["type"] == "document_parsing_exception");
  CHECK(node.ask("GET", "/i/_count").json["count"] == 1);
  CHECK(node.ask("GET", "/i/_doc/1").json["_source"].dump() == R"({"a":3})");
}

TEST_CASE("documents written again are counted once", "[bulk]") {
  AskedNode node;
  std::string body;
  for (int i = 0; i < 100; ++i)
    body += "{\"index\":{\"_index\":\"i\",\"_id\":\"" + std::to_string(i % 40) + "\"}}\n{}\n";
  node.bulk("/_bulk?refresh=true", body);
  node.bulk("/_bulk?refresh=true", body);
  CHECK(node.ask("GET", "/i/_count").json["count"] == 40);
  node.bulk("/_bulk?refresh=true", "{\"delete\":{\"_index\":\"i\",\"_id\":\"0\"}}\n");
  CHECK(node.ask("GET", "/i/_count").json["count"] == 39);
  CHECK(stats(node)["docs"]["deleted"] > 0);
}

TEST_CASE("a blocked or closed index refuses each item", "[bulk]") {
  AskedNode node;
  node.ask("PUT", "/logs");
  node.ask("PUT", "/logs/_settings", R"({"index.blocks.write":true})");
  CHECK(node.bulk("/_bulk", test::plain_bulk(1)).json["items"][0]["index"]["status"] == 403);
  node.ask("PUT", "/logs/_settings", R"({"index.blocks.write":null})");
  node.ask("POST", "/logs/_close");
  CHECK(node.bulk("/_bulk", test::plain_bulk(1)).json["items"][0]["index"]["error"]["type"] ==
        "index_closed_exception");
}

TEST_CASE("pipelines are counted, and missing ones fail their items", "[bulk]") {
  AskedNode node;
  CHECK(node.bulk("/_bulk?pipeline=p", test::plain_bulk(1)).json["items"][0]["index"]["error"]["reason"] ==
        "pipeline with id [p] does not exist");
  node.ask("PUT", "/_ingest/pipeline/p", R"({"processors":[{"set":{"field":"a","value":1}}]})");
  const auto said = node.bulk("/_bulk?pipeline=p", test::plain_bulk(3));
  CHECK(said.json["errors"] == false);
  CHECK(said.json.contains("ingest_took"));
  std::uint64_t count = 0;
  const Json answer = node.ask("GET", "/_nodes/stats/ingest").json;
  for (const Json& one : answer["nodes"]) {
    count += one["ingest"]["total"]["count"].get<std::uint64_t>();
    CHECK(one["ingest"]["pipelines"]["p"]["processors"][0]["set"]["type"] == "set");
  }
  CHECK(count == 3);
}

TEST_CASE("items that a fault fails are not written", "[bulk]") {
  AskedNode node;
  auto request = sandbox::asked("POST", "/_bulk?refresh", test::plain_bulk(10));
  request.content_type = "application/x-ndjson";
  request.items_failed = 3;
  request.items_status = 429;
  const auto said = node.ask(request);
  CHECK(said.json["errors"] == true);
  CHECK(said.json["items"][2]["index"]["status"] == 429);
  CHECK(said.json["items"][3]["index"]["status"] == 201);
  CHECK(node.ask("GET", "/logs/_count").json["count"] == 7);
}

TEST_CASE("counters move as a node's do", "[bulk]") {
  AskedNode node;
  node.ask("PUT", "/logs", R"({"settings":{"refresh_interval":"-1","number_of_replicas":1}})");
  for (int i = 0; i < 30; ++i) {
    node.bulk("/_bulk", test::plain_bulk(1000));
    node.ask("POST", "/logs/_refresh");
  }
  Json before = stats(node);
  CHECK(before["indexing"]["index_total"] == 30'000);
  CHECK(before["indexing"]["index_time_in_millis"] > 100);
  CHECK(before["refresh"]["total"] == 30);
  CHECK(before["refresh"]["total_time_in_millis"] > 100);
  CHECK(before["segments"]["count"] <= 10);
  CHECK(before["merges"]["total"] > 0);
  CHECK(before["translog"]["operations"] == 30'000);
  CHECK(before["store"]["size_in_bytes"] > 400'000);
  node.ask("POST", "/logs/_flush");
  const Json after = stats(node);
  CHECK(after["translog"]["size_in_bytes"] == 55);
  CHECK(after["flush"]["total"] == 1);
  CHECK(stats(node, "total")["store"]["size_in_bytes"] ==
        2 * after["store"]["size_in_bytes"].get<std::int64_t>());
}

TEST_CASE("equal work gives equal counters", "[bulk]") {
  const auto race = [] {
    AskedNode node;
    for (int i = 0; i < 5; ++i) node.bulk("/_bulk?refresh=true", test::plain_bulk(200));
    node.ask("POST", "/_forcemerge?max_num_segments=1");
    return node.ask("GET", "/_stats?level=shards").text;
  };
  CHECK(race() == race());
}

TEST_CASE("a force-merge leaves as many segments as it was told, and takes its time", "[bulk]") {
  AskedNode node;
  node.ask("PUT", "/logs", R"({"settings":{"number_of_shards":2}})");
  for (int i = 0; i < 4; ++i) node.bulk("/_bulk?refresh=true", test::plain_bulk(1000));
  const auto said = node.ask("POST", "/logs/_forcemerge?max_num_segments=1");
  CHECK(said.status == 200);
  CHECK(node.waited() >= 2ms);
  CHECK(stats(node)["segments"]["count"] == 2);
  CHECK(stats(node)["merges"]["current"] == 0);
  CHECK(stats(node)["docs"]["count"] == 4000);
}

TEST_CASE("a force-merge in the background is a task until it ends", "[bulk]") {
  AskedNode node;
  for (int i = 0; i < 4; ++i) node.bulk("/_bulk?refresh=true", test::plain_bulk(1000));
  const std::string task = node.ask("POST", "/_forcemerge?max_num_segments=1&wait_for_completion=false")
                               .json["task"]
                               .get<std::string>();
  CHECK(stats(node)["merges"]["current"] == 1);
  CHECK(node.ask("GET", "/_tasks/" + task).json["completed"] == false);
  CHECK(node.ask("GET", "/_tasks?actions=indices:admin/forcemerge").json["nodes"].size() == 1);
  node.pass(5s);
  const auto done = node.ask("GET", "/_tasks/" + task);
  CHECK(done.json["completed"] == true);
  CHECK(done.json["task"]["action"] == "indices:admin/forcemerge");
  CHECK(done.json["response"]["_shards"]["failed"] == 0);
  CHECK(node.ask("GET", "/_tasks?actions=*forcemerge*").json["nodes"].empty());
  CHECK(stats(node)["merges"]["current"] == 0);
  CHECK(node.ask("GET", "/_tasks/abc:1").json["error"]["type"] == "resource_not_found_exception");
  AskedNode older(Flavor::elasticsearch_7);
  CHECK(older.ask("POST", "/_forcemerge?wait_for_completion=false").status == 400);
}

TEST_CASE("garbage is collected as documents come in", "[bulk]") {
  AskedNode node(Flavor::elasticsearch_8, 1);
  const auto young = [&] {
    const Json answer = node.ask("GET", "/_nodes/stats/jvm").json;
    return answer["nodes"].begin().value()["jvm"]["gc"]["collectors"]["young"]["collection_count"].get<int>();
  };
  CHECK(young() == 0);
  const std::string document = "{\"a\":\"" + std::string(100'000, 'x') + "\"}";
  std::string body;
  for (int i = 0; i < 100; ++i) body += "{\"index\":{\"_index\":\"i\"}}\n" + document + "\n";
  for (int i = 0; i < 10; ++i) node.bulk("/_bulk", body);
  CHECK(young() > 1);
  CHECK(young() < 10);
}

TEST_CASE("node statistics share the shards out among the nodes", "[bulk]") {
  AskedNode node;
  node.ask("PUT", "/logs", R"({"settings":{"number_of_shards":4,"number_of_replicas":0}})");
  node.bulk("/_bulk?refresh=true", test::plain_bulk(100));
  const Json answer = node.ask("GET", "/_nodes/stats/_all").json;
  CHECK(answer["_nodes"]["total"] == 2);
  std::uint64_t docs = 0;
  for (const Json& one : answer["nodes"]) {
    docs += one["indices"]["docs"]["count"].get<std::uint64_t>();
    for (const char* key :
         {"thread_pool", "breakers", "jvm", "os", "process", "fs", "transport", "indexing_pressure"})
      CHECK(one.contains(key));
  }
  CHECK(docs == 100);
  CHECK(node.ask("GET", "/_nodes/stats/jvm,os").json["nodes"].begin().value().contains("fs") == false);
  CHECK(node.ask("GET", "/_nodes/http").json["nodes"].begin().value()["http"].contains("publish_address"));
  CHECK(node.ask("GET", "/_nodes/_local/os").json["nodes"].size() == 1);
}

TEST_CASE("names with quotes come back as valid JSON", "[bulk]") {
  AskedNode node;
  const auto said =
      node.bulk("/_bulk", "{\"index\":{\"_index\":\"a\\\"b\",\"_id\":\"c\\\"d\\u0001\"}}\n{}\n");
  CHECK(said.json["items"][0]["index"]["_index"] == "a\"b");
  CHECK(said.json["items"][0]["index"]["_id"] == std::string("c\"d\x01"));
  CHECK(said.json["items"][0]["index"]["status"] == 400);
}

}  // namespace pacenote::bulk_test
