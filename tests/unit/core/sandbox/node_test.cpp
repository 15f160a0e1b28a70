#include "core/sandbox/node.hpp"

#include <set>

#include "tests/unit/core/sandbox/asking.hpp"

namespace pacenote::node_test {

using sandbox::Flavor;
using namespace std::chrono_literals;
using test::AskedNode;

TEST_CASE("each flavour greets as its product", "[node]") {
  AskedNode es8, es7(Flavor::elasticsearch_7), os(Flavor::opensearch_2);
  CHECK(es8.ask("GET", "/").json["version"]["number"].get<std::string>().starts_with("8.15."));
  CHECK(es7.ask("GET", "/").json["version"]["number"].get<std::string>().starts_with("7.17."));
  CHECK(os.ask("GET", "/").json["version"]["distribution"] == "opensearch");
  CHECK(os.ask("GET", "/").json["version"]["number"].get<std::string>().starts_with("2.19."));
}

TEST_CASE("every answer says that it is the sandbox's, and Elasticsearch's names the product", "[node]") {
  const auto names = [](Flavor flavor, const std::string& target) {
    AskedNode node(flavor);
    std::set<std::string> out;
    for (const auto& [name, value] : node.node().handle(sandbox::asked("GET", target)).headers)
      out.insert(name);
    return out;
  };
  const std::string target = GENERATE("/", "/nothing/here/at/all", "/_cluster/health");
  CHECK(names(Flavor::elasticsearch_8, target) ==
        std::set<std::string>{"X-Pacenote-Sandbox", "X-elastic-product"});
  CHECK(names(Flavor::opensearch_2, target) == std::set<std::string>{"X-Pacenote-Sandbox"});
}

TEST_CASE("what is not known is refused, never waved through", "[node]") {
  AskedNode node;
  const auto unknown = node.ask("GET", "/_no_such_endpoint/x/y/z");
  CHECK(unknown.status == 400);
  CHECK(unknown.json["error"] == "no handler found for uri [/_no_such_endpoint/x/y/z] and method [GET]");
  const auto wrong = node.ask("POST", "/_cluster/health");
  CHECK(wrong.status == 405);
  CHECK(wrong.json["error"] ==
        "Incorrect HTTP method for uri [/_cluster/health] and method [POST], allowed: [GET]");
  CHECK(node.ask("POST", "/logs/_nonsense", "{}").status == 400);
  CHECK(node.ask("GET", "/_stats/nonsense").status == 400);
  CHECK(node.ask("GET", "/_nodes/stats/nonsense").status == 400);
  CHECK(node.ask("PUT", "/logs", R"({"colour":1})").status == 400);
  CHECK(node.ask("POST", "/_forcemerge?colour=1").status == 400);
}

TEST_CASE("media types are taken and refused as each product does", "[node]") {
  const std::string v8 = "application/vnd.elasticsearch+json; compatible-with=8";
  const auto status = [](Flavor flavor, const std::string& type) {
    return AskedNode(flavor).ask("PUT", "/logs", "{}", type).status;
  };
  CHECK(status(Flavor::elasticsearch_8, v8) == 200);
  CHECK(status(Flavor::elasticsearch_8, "application/json") == 200);
  CHECK(status(Flavor::elasticsearch_8, "application/vnd.elasticsearch+json;compatible-with=9") == 400);
  CHECK(status(Flavor::elasticsearch_7, v8) == 400);
  CHECK(status(Flavor::elasticsearch_7, "application/vnd.elasticsearch+json;compatible-with=7") == 200);
  CHECK(status(Flavor::opensearch_2, v8) == 406);
  for (const Flavor flavor : {Flavor::elasticsearch_8, Flavor::elasticsearch_7, Flavor::opensearch_2}) {
    CHECK(status(flavor, "application/x-www-form-urlencoded") == 406);
    CHECK(status(flavor, "") == 406);
  }
}

TEST_CASE("an answer comes in the media type that was asked for", "[node]") {
  AskedNode node;
  auto request = sandbox::asked("GET", "/");
  CHECK(node.ask(request).content_type == "application/json");
  request.accept = "application/vnd.elasticsearch+json; compatible-with=8";
  CHECK(node.ask(request).content_type == "application/vnd.elasticsearch+json;compatible-with=8");
}

TEST_CASE("filter_path keeps what it names", "[node]") {
  AskedNode node;
  CHECK(node.ask("GET", "/?filter_path=version.number,name").json.dump() ==
        R"({"name":"sandbox-1","version":{"number":"8.15.5"}})");
  CHECK(node.bulk("/_bulk?filter_path=errors,items.*.status", test::plain_bulk(2)).text ==
        R"({"errors":false,"items":[{"index":{"status":201}},{"index":{"status":201}}]})");
  CHECK(node.ask("GET", "/?filter_path=nothing").text == "{}");
}

TEST_CASE("health is green with two nodes and one replica, yellow with more", "[node]") {
  AskedNode node;
  node.ask("PUT", "/a", R"({"settings":{"index.number_of_shards":3}})");
  const auto green = node.ask("GET", "/_cluster/health");
  CHECK(green.json["status"] == "green");
  CHECK(green.json["active_primary_shards"] == 3);
  CHECK(green.json["active_shards"] == 6);
  node.ask("PUT", "/b", R"({"settings":{"number_of_replicas":2}})");
  const auto yellow = node.ask("GET", "/_cluster/health?level=indices");
  CHECK(yellow.json["status"] == "yellow");
  CHECK(yellow.json["unassigned_shards"] == 1);
  CHECK(yellow.json["indices"]["a"]["status"] == "green");
  CHECK(node.ask("GET", "/_cluster/health/a").json["status"] == "green");
}

TEST_CASE("a health that does not come ends with 408 after its time-out", "[node]") {
  AskedNode node(Flavor::elasticsearch_8, 1);
  node.ask("PUT", "/a");
  const std::string what =
      GENERATE("/_cluster/health?wait_for_status=green&timeout=2s",
               "/_cluster/health/a?wait_for_nodes=>=2&timeout=2s", "/_cluster/health/none?timeout=2s");
  const auto said = node.ask("GET", what);
  CHECK(said.status == 408);
  CHECK(said.json["timed_out"] == true);
  CHECK(node.waited() == 2s);
  CHECK(
      node.ask("GET", "/_cluster/health?wait_for_status=yellow&wait_for_no_relocating_shards=true").status ==
      200);
  CHECK(node.waited() == 0s);
  CHECK(node.ask("GET", "/_cluster/health?wait_for_status=blue").status == 400);
}

TEST_CASE("an index lives from PUT to DELETE", "[node]") {
  AskedNode node;
  CHECK(node.ask("HEAD", "/logs").status == 404);
  const auto made =
      node.ask("PUT", "/logs", R"({"settings":{"index":{"number_of_shards":2,"refresh_interval":"30s"}}})");
  CHECK(made.text == R"({"acknowledged":true,"shards_acknowledged":true,"index":"logs"})");
  CHECK(node.ask("HEAD", "/logs").status == 200);
  const auto again = node.ask("PUT", "/logs");
  CHECK(again.status == 400);
  CHECK(again.json["error"]["type"] == "resource_already_exists_exception");
  const auto settings = node.ask("GET", "/logs/_settings").json["logs"]["settings"]["index"];
  CHECK(settings["number_of_shards"] == "2");
  CHECK(settings["uuid"].get<std::string>().size() == 22);
  CHECK(node.ask("DELETE", "/logs").text == R"({"acknowledged":true})");
  const auto gone = node.ask("DELETE", "/logs");
  CHECK(gone.status == 404);
  CHECK(gone.json["error"]["type"] == "index_not_found_exception");
  CHECK(node.ask("DELETE", "/logs?ignore_unavailable=true").status == 200);
}

TEST_CASE("wildcards delete only where names are not required", "[node]") {
  AskedNode node;
  node.ask("PUT", "/logs-1");
  CHECK(node.ask("DELETE", "/logs-*").status == 400);
  const auto put =
      node.ask("PUT", "/_cluster/settings", R"({"transient":{"action.destructive_requires_name":false}})");
  CHECK(put.status == 200);
  CHECK(node.ask("GET", "/_cluster/settings?flat_settings=true")
            .json["transient"]["action.destructive_requires_name"] == "false");
  CHECK(node.ask("DELETE", "/logs-*").status == 200);
  CHECK(node.ask("HEAD", "/logs-1").status == 404);
  node.ask("PUT", "/_cluster/settings", R"({"transient":{"action.destructive_requires_name":null}})");
  CHECK(node.ask("GET", "/_cluster/settings").json["transient"].empty());
  AskedNode older(Flavor::opensearch_2);
  older.ask("PUT", "/logs-1");
  CHECK(older.ask("DELETE", "/_all").status == 200);
}

TEST_CASE("settings that are unknown, static or no numbers are refused", "[node]") {
  AskedNode node;
  node.ask("PUT", "/logs");
  CHECK(node.ask("PUT", "/x", R"({"settings":{"index.no_such":1}})")
            .json["error"]["reason"]
            .get<std::string>()
            .starts_with("unknown setting [index.no_such]"));
  CHECK(node.ask("PUT", "/x", R"({"settings":{"number_of_shards":0}})").json["error"]["reason"] ==
        "Failed to parse value [0] for setting [index.number_of_shards] must be >= 1");
  CHECK(node.ask("PUT", "/x", R"({"settings":{"number_of_shards":"many"}})").status == 400);
  CHECK(node.ask("PUT", "/logs/_settings", R"({"index.number_of_shards":2})").status == 400);
  CHECK(node.ask("PUT", "/logs/_settings", R"({"index":{"number_of_replicas":0}})").status == 200);
  CHECK(node.ask("GET", "/_cluster/health").json["active_shards"] == 1);
  CHECK(node.ask("PUT", "/Upper").json["error"]["type"] == "invalid_index_name_exception");
}

TEST_CASE("templates of both kinds shape new indices", "[node]") {
  AskedNode node;
  CHECK(node.ask("PUT", "/_template/t", R"({"index_patterns":["old-*"],"settings":{"number_of_shards":3}})")
            .status == 200);
  CHECK(node.ask("GET", "/_template/t").json["t"]["order"] == 0);
  node.ask("PUT", "/old-1");
  CHECK(node.ask("GET", "/_cluster/health/old-1").json["active_primary_shards"] == 3);
  CHECK(node.ask("PUT", "/_component_template/c", R"({"template":{"settings":{"number_of_shards":4}}})")
            .status == 200);
  CHECK(
      node.ask(
              "PUT", "/_index_template/i",
              R"({"index_patterns":["new-*"],"composed_of":["c"],"template":{"settings":{"index.number_of_replicas":0}}})")
          .status == 200);
  node.bulk("/_bulk", test::plain_bulk(1, "new-1"));
  CHECK(node.ask("GET", "/_cluster/health/new-1").json["active_shards"] == 4);
  CHECK(node.ask("HEAD", "/_index_template/i").status == 200);
  CHECK(node.ask("DELETE", "/_index_template/i").status == 200);
  CHECK(node.ask("DELETE", "/_index_template/i").json["error"]["type"] == "index_template_missing_exception");
  CHECK(node.ask("PUT", "/_template/t", "{}").status == 400);
  CHECK(node.ask("HEAD", "/_component_template/none").status == 404);
}

TEST_CASE("a data stream takes only creates", "[node]") {
  AskedNode node;
  CHECK(node.ask("PUT", "/_data_stream/s").status == 400);
  node.ask("PUT", "/_index_template/t", R"({"index_patterns":["s*"],"data_stream":{}})");
  CHECK(node.ask("PUT", "/_data_stream/s").status == 200);
  const auto create =
      node.bulk("/_bulk?refresh=true", "{\"create\":{\"_index\":\"s\"}}\n{\"@timestamp\":1}\n");
  CHECK(create.json["errors"] == false);
  CHECK(create.json["items"][0]["create"]["_index"].get<std::string>().starts_with(".ds-s-"));
  CHECK(node.bulk("/_bulk", test::plain_bulk(1, "s")).json["items"][0]["index"]["status"] == 400);
  CHECK(node.ask("GET", "/s/_count").json["count"] == 1);
  CHECK(node.ask("GET", "/_data_stream/s").json["data_streams"][0]["template"] == "t");
  CHECK(node.ask("DELETE", "/s").status == 400);
  CHECK(node.ask("DELETE", "/_data_stream/s").status == 200);
  CHECK(node.ask("DELETE", "/_data_stream/s").status == 404);
}

TEST_CASE("the small tables list what is there", "[node]") {
  AskedNode node;
  node.ask("PUT", "/logs", R"({"settings":{"number_of_replicas":2}})");
  const auto indices = node.ask("GET", "/_cat/indices?format=json&h=index,health,pri,rep");
  CHECK(indices.text == R"([{"index":"logs","health":"yellow","pri":"1","rep":"2"}])");
  CHECK(node.ask("GET", "/_cat/shards?format=json").json.size() == 3);
  CHECK(node.ask("GET", "/_cat/nodes?h=name").text == "sandbox-1\nsandbox-2\n");
  CHECK(node.ask("GET", "/_cat/health?format=json").json[0]["status"] == "yellow");
}

}  // namespace pacenote::node_test
