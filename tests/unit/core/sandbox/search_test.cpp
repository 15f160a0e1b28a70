#include "core/sandbox/search.hpp"

#include "tests/unit/core/sandbox/asking.hpp"

namespace pacenote::search_test {

using test::AskedNode;

/// Documents {"n": 0, "name": "a b"} … with ids "0" …
AskedNode& filled(AskedNode& node, int count) {
  std::string body;
  for (int i = 0; i < count; ++i)
    body += "{\"index\":{\"_index\":\"logs\",\"_id\":\"" + std::to_string(i) +
            "\"}}\n{\"n\":" + std::to_string(i) + ",\"name\":\"" + (i % 2 == 0 ? "Even one" : "odd") +
            "\",\"at\":\"1998-06-10T0" + std::to_string(i % 3) + ":00:00Z\",\"o\":{\"p\":[" +
            std::to_string(i) + "]}}\n";
  node.bulk("/_bulk?refresh=true", body);
  return node;
}

std::int64_t total(AskedNode& node, const std::string& query) {
  const auto said = node.ask("GET", "/logs/_search", R"({"query":)" + query + "}");
  REQUIRE(said.status == 200);
  return said.json["hits"]["total"]["value"].get<std::int64_t>();
}

TEST_CASE("simple queries find what they should", "[search]") {
  AskedNode node;
  filled(node, 20);
  CHECK(total(node, R"({"match_all":{}})") == 20);
  CHECK(total(node, R"({"match_none":{}})") == 0);
  CHECK(total(node, R"({"term":{"n":7}})") == 1);
  CHECK(total(node, R"({"term":{"n":{"value":"7"}}})") == 1);
  CHECK(total(node, R"({"terms":{"n":[1,2,99]}})") == 2);
  CHECK(total(node, R"({"match":{"name":"even nothing"}})") == 10);
  CHECK(total(node, R"({"match":{"name":{"query":"even nothing","operator":"and"}}})") == 0);
  CHECK(total(node, R"({"range":{"n":{"gte":5,"lt":8}}})") == 3);
  CHECK(total(node, R"({"range":{"at":{"gte":"1998-06-10T01:00:00Z"}}})") == 13);
  CHECK(total(node, R"({"ids":{"values":["1","x"]}})") == 1);
  CHECK(total(node, R"({"exists":{"field":"o.p"}})") == 20);
  CHECK(total(node, R"({"term":{"o.p":3}})") == 1);
  CHECK(total(node, R"({"prefix":{"name.keyword":"Ev"}})") == 10);
  CHECK(
      total(
          node,
          R"({"bool":{"must":[{"match":{"name":"odd"}}],"filter":{"range":{"n":{"lt":10}}},"must_not":{"term":{"n":1}}}})") ==
      4);
  CHECK(total(node, R"({"bool":{"should":[{"term":{"n":1}},{"term":{"n":2}}]}})") == 2);
  CHECK(node.ask("GET", "/logs/_search?q=n:7").json["hits"]["total"]["value"] == 1);
  CHECK(node.ask("GET", "/logs/_count", R"({"query":{"term":{"n":7}}})").json["count"] == 1);
}

TEST_CASE("an unknown query, key or aggregation is refused", "[search]") {
  AskedNode node;
  filled(node, 1);
  const auto said = node.ask("GET", "/logs/_search", R"({"query":{"no_such_query":{}}})");
  CHECK(said.status == 400);
  CHECK(said.json["error"]["type"] == "parsing_exception");
  CHECK(said.json["error"]["reason"] == "unknown query [no_such_query]");
  CHECK(node.ask("GET", "/logs/_search", R"({"colour":1})").status == 400);
  CHECK(node.ask("GET", "/logs/_search", R"({"aggs":{"a":{"no_such":{}}}})").status == 400);
  CHECK(node.ask("GET", "/logs/_search", R"({"size":20000})").status == 400);
  CHECK(node.ask("GET", "/logs/_search", "{").status == 400);
  CHECK(node.ask("GET", "/none/_search").status == 404);
}

TEST_CASE("hits are sorted, cut out and filtered as asked", "[search]") {
  AskedNode node;
  filled(node, 20);
  const auto said =
      node.ask("GET", "/logs/_search", R"({"sort":[{"n":"desc"}],"size":2,"from":1,"_source":["n"]})");
  const Json& hits = said.json["hits"]["hits"];
  REQUIRE(hits.size() == 2);
  CHECK(hits[0]["_id"] == "18");
  CHECK(hits[0]["_source"].dump() == R"({"n":18})");
  CHECK(hits[0]["sort"][0] == 18);
  const auto next =
      node.ask("GET", "/logs/_search", R"({"sort":[{"n":{"order":"desc"}}],"size":1,"search_after":[17]})");
  CHECK(next.json["hits"]["hits"][0]["_id"] == "16");
}

TEST_CASE("totals stop at 10,000 unless asked to go on", "[search]") {
  AskedNode node;
  for (int i = 0; i < 12; ++i) node.bulk("/_bulk?refresh=true", test::plain_bulk(1000));
  const auto said = node.ask("GET", "/logs/_search");
  CHECK(said.json["hits"]["total"].dump() == R"({"value":10000,"relation":"gte"})");
  const auto all = node.ask("GET", "/logs/_search", R"({"track_total_hits":true})");
  CHECK(all.json["hits"]["total"].dump() == R"({"value":12000,"relation":"eq"})");
  CHECK_FALSE(
      node.ask("GET", "/logs/_search", R"({"track_total_hits":false})").json["hits"].contains("total"));
}

TEST_CASE("a total over documents of which some are forgotten says that it is a lower bound", "[search]") {
  AskedNode node;
  for (int i = 0; i < 12; ++i) node.bulk("/_bulk?refresh=true", test::plain_bulk(1000));
  const auto said = node.ask("GET", "/logs/_search", R"({"query":{"term":{"n":5}}})");
  CHECK(said.json["hits"]["total"].dump() == R"({"value":10,"relation":"gte"})");
}

TEST_CASE("aggregations count the documents that were found", "[search]") {
  AskedNode node;
  filled(node, 9);
  const auto said = node.ask("GET", "/logs/_search", R"({"size":0,"aggs":{
    "names":{"terms":{"field":"name.keyword"},"aggs":{"top":{"max":{"field":"n"}}}},
    "hours":{"date_histogram":{"field":"at","fixed_interval":"1h"}},
    "mean":{"avg":{"field":"n"}}}})");
  REQUIRE(said.status == 200);
  const Json& a = said.json["aggregations"];
  CHECK(a["names"]["buckets"][0]["key"] == "Even one");
  CHECK(a["names"]["buckets"][0]["doc_count"] == 5);
  CHECK(a["names"]["buckets"][0]["top"]["value"] == 8.0);
  CHECK(a["hours"]["buckets"].size() == 3);
  CHECK(a["hours"]["buckets"][0]["key"] == 897436800000);
  CHECK(a["mean"]["value"] == 4.0);
}

TEST_CASE("a scroll goes through all pages and ends", "[search]") {
  AskedNode node;
  filled(node, 25);
  auto page = node.ask("GET", "/logs/_search?scroll=1m&size=10");
  const std::string id = page.json["_scroll_id"].get<std::string>();
  std::size_t seen = page.json["hits"]["hits"].size();
  for (int i = 0; i < 3; ++i) {
    page = node.ask("POST", "/_search/scroll", R"({"scroll":"1m","scroll_id":")" + id + "\"}");
    seen += page.json["hits"]["hits"].size();
  }
  CHECK(seen == 25);
  CHECK(page.json["hits"]["hits"].empty());
  CHECK(node.ask("DELETE", "/_search/scroll", R"({"scroll_id":[")" + id + "\"]}").json["num_freed"] == 1);
  const auto gone = node.ask("POST", "/_search/scroll", R"({"scroll_id":")" + id + "\"}");
  CHECK(gone.status == 404);
  CHECK(gone.json["error"]["type"] == "search_phase_execution_exception");
}

TEST_CASE("a document is found by its id, its source byte for byte", "[search]") {
  AskedNode node;
  CHECK(node.ask("PUT", "/i/_doc/1", R"({ "b" : 1.0 , "a": 2 })").status == 201);
  CHECK(node.ask("PUT", "/i/_doc/1", R"({ "b" : 1.0 , "a": 3 })").status == 200);
  const auto said = node.ask("GET", "/i/_doc/1");
  CHECK(said.text.ends_with(
      R"("_version":2,"_seq_no":1,"_primary_term":1,"found":true,"_source":{ "b" : 1.0 , "a": 3 }})"));
  CHECK(node.ask("PUT", "/i/_create/1", "{}").status == 409);
  CHECK(node.ask("DELETE", "/i/_doc/1").json["result"] == "deleted");
  CHECK(node.ask("GET", "/i/_doc/1").status == 404);
  CHECK(node.ask("PUT", "/i/_doc/1", "no json").json["error"]["type"] == "document_parsing_exception");
}

}  // namespace pacenote::search_test
