// The sandbox beside real engines: status and error type of the same requests in the same order.
#include <iostream>
#include <set>
#include <sstream>

#include "core/sandbox/node.hpp"
#include "tests/support/shared.hpp"
#include "tests/unit/core/sandbox/asking.hpp"

namespace pacenote::captures_test {

using sandbox::Flavor;

struct Replayed {
  std::string name, method, target, body, content_type = "application/json";
};

const std::string kNdjson = "application/x-ndjson";

/// Bodies are our own: the captures tell the requests, not what was in them.
const std::vector<Replayed>& requests() {
  static const std::vector<Replayed> all{
      {"root", "GET", "/", ""},
      {"cluster_health", "GET", "/_cluster/health", ""},
      {"create_index", "PUT", "/cap_smoke", R"({"settings":{"number_of_shards":2,"number_of_replicas":0}})"},
      {"create_index_exists", "PUT", "/cap_smoke", "{}"},
      {"create_index_bad_setting", "PUT", "/cap_smoke_bad", R"({"settings":{"index.no_such":1}})"},
      {"health_index", "GET", "/_cluster/health/cap_smoke?wait_for_status=yellow&timeout=10s", ""},
      {"health_timeout", "GET", "/_cluster/health/cap_smoke?wait_for_nodes=9&timeout=1s", ""},
      {"health_index_missing", "GET", "/_cluster/health/cap_none?timeout=1s", ""},
      {"bulk_ok", "POST", "/cap_smoke/_bulk",
       "{\"index\":{\"_id\":\"1\"}}\n{\"n\":1}\n{\"create\":{\"_id\":\"2\"}}\n{\"n\":2}\n{\"update\":{\"_"
       "id\":\"1\"}}\n"
       "{\"doc\":{\"n\":3}}\n{\"delete\":{\"_id\":\"99\"}}\n{\"index\":{}}\n{\"n\":7}\n",
       kNdjson},
      {"bulk_malformed", "POST", "/cap_smoke/_bulk", "{\"nonsense\":{}}\n{}\n", kNdjson},
      {"bulk_no_newline", "POST", "/cap_smoke/_bulk", "{\"index\":{}}\n{\"n\":1}", kNdjson},
      {"bulk_filter_path", "POST", "/cap_smoke/_bulk?filter_path=took,errors", "{\"index\":{}}\n{\"n\":1}\n",
       kNdjson},
      {"bulk_pipeline_missing", "POST", "/cap_smoke/_bulk?pipeline=nope", "{\"index\":{\"_id\":\"8\"}}\n{}\n",
       kNdjson},
      {"bulk_wrong_content_type", "POST", "/cap_smoke/_bulk", "{\"index\":{}}\n{}\n",
       "application/x-www-form-urlencoded"},
      {"get_doc", "GET", "/cap_smoke/_doc/1", ""},
      {"get_doc_missing", "GET", "/cap_smoke/_doc/none", ""},
      {"refresh", "POST", "/cap_smoke/_refresh", ""},
      {"flush", "POST", "/cap_smoke/_flush", ""},
      {"forcemerge", "POST", "/cap_smoke/_forcemerge?max_num_segments=1", ""},
      {"search_bad_query", "GET", "/cap_smoke/_search", R"({"query":{"no_such_query":{}}})"},
      {"search_missing_index", "GET", "/cap_none/_search", ""},
      {"scroll_expired", "POST", "/_search/scroll", R"({"scroll_id":"gone"})"},
      {"nodes", "GET", "/_nodes", ""},
      {"nodes_stats", "GET", "/_nodes/stats", ""},
      {"nodes_stats_all", "GET", "/_nodes/stats/_all?level=shards", ""},
      {"stats", "GET", "/_stats", ""},
      {"stats_shards", "GET", "/cap_smoke/_stats?level=shards", ""},
      {"tasks_filter", "GET", "/_tasks?actions=*forcemerge*&detailed", ""},
      {"tasks_missing", "GET", "/_tasks/abc:1", ""},
      {"get_settings", "GET", "/cap_smoke/_settings?include_defaults=false", ""},
      {"put_settings", "PUT", "/cap_smoke/_settings", R"({"index":{"refresh_interval":"1s"}})"},
      {"cluster_settings", "GET", "/_cluster/settings?include_defaults=true&flat_settings=true", ""},
      {"template_legacy_put", "PUT", "/_template/cap_t",
       R"({"index_patterns":["cap_t-*"],"settings":{"number_of_replicas":0}})"},
      {"template_legacy_get", "GET", "/_template/cap_t", ""},
      {"template_legacy_delete", "DELETE", "/_template/cap_t", ""},
      {"component_template_put", "PUT", "/_component_template/cap_c", R"({"template":{}})"},
      {"component_template_delete", "DELETE", "/_component_template/cap_c", ""},
      {"template_missing_delete", "DELETE", "/_index_template/cap_none", ""},
      {"count", "GET", "/cap_smoke/_count", ""},
      {"close_index", "POST", "/cap_smoke/_close", ""},
      {"search_closed_index", "GET", "/cap_smoke/_search", ""},
      {"delete_index", "DELETE", "/cap_smoke", ""},
      {"delete_index_missing", "DELETE", "/cap_none", ""},
      {"delete_index_missing_ignored", "DELETE", "/cap_none?ignore_unavailable=true", ""},
      {"no_handler", "GET", "/_no_such_endpoint/x/y/z", ""},
      {"wrong_method", "POST", "/_cluster/health", ""},
  };
  return all;
}

std::map<std::string, int> captured_statuses(const std::filesystem::path& folder) {
  std::map<std::string, int> out;
  std::istringstream lines(test::read_file(folder / "_status.txt"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string status, request, name;
    std::getline(fields, status, '\t');
    std::getline(fields, request, '\t');
    std::getline(fields, name, '\t');
    out[name] = std::atoi(status.c_str());
  }
  return out;
}

/// "type" of an error, its text where it is plain, the keys at the top of any other answer.
std::string gist(const Json& answer) {
  if (!answer.is_object()) return answer.type_name();
  if (answer.contains("error"))
    return answer["error"].is_object() ? answer["error"].value("type", "")
                                       : answer["error"].get<std::string>();
  std::set<std::string> keys;
  for (const auto& [key, value] : answer.items()) keys.insert(key);
  if (keys.contains("nodes") || keys.contains("task")) return "nodes";
  std::string out;
  for (const std::string& key : keys) out += key + " ";
  return out;
}

void compare(const std::string& product, Flavor flavor) {
  const auto folder = test::shared("captures/" + product);
  if (!folder) return;
  const std::map<std::string, int> statuses = captured_statuses(*folder);
  test::AskedNode node(flavor, 1);
  int pass = 0;
  for (const Replayed& r : requests()) {
    INFO(product << ": " << r.name);
    const auto said = node.ask(r.method, r.target, r.body, r.content_type);
    const Json captured = test::read_json(*folder / (r.name + ".json"));
    const bool same = said.status == statuses.at(r.name) && gist(said.json) == gist(captured);
    CHECK(said.status == statuses.at(r.name));
    CHECK(gist(said.json) == gist(captured));
    pass += same ? 1 : 0;
  }
  std::cout << "vectors captures/" << product << ": " << pass << " pass, 0 listed differences\n";
}

/// Keys that `real` has and `ours` lacks, at all depths of objects, as dotted paths.
void missing_keys(const Json& real, const Json& ours, const std::string& path,
                  std::vector<std::string>& out) {
  for (const auto& [key, value] : real.items()) {
    if (!ours.contains(key))
      out.push_back(path + key);
    else if (value.is_object() && ours[key].is_object())
      missing_keys(value, ours[key], path + key + ".", out);
  }
}

TEST_CASE("the sandbox answers as Elasticsearch 7.10.2 did", "[captures]") {
  compare("elasticsearch-7.10.2", Flavor::elasticsearch_7);
}

TEST_CASE("the sandbox answers as OpenSearch 2.19.6 did", "[captures]") {
  compare("opensearch-2.19.6", Flavor::opensearch_2);
}

TEST_CASE("index statistics have every key that Elasticsearch 7.10.2 sends", "[captures]") {
  const auto folder = test::shared("captures/elasticsearch-7.10.2");
  if (!folder) return;
  test::AskedNode node(Flavor::elasticsearch_7, 1);
  node.bulk("/_bulk?refresh=true", test::plain_bulk(3));
  std::vector<std::string> missing;
  missing_keys(test::read_json(*folder / "stats.json")["_all"], node.ask("GET", "/_stats").json["_all"], "",
               missing);
  CHECK(missing == std::vector<std::string>{});
}

}  // namespace pacenote::captures_test
