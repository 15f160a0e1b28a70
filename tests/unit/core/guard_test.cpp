#include "core/guard.hpp"

#include <map>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/run.hpp"
#include "tests/support/scripted_transport.hpp"

namespace pacenote::guard_test {

using test::Asked;
using test::FakeClock;
using test::Reply;
using test::ScriptedTransport;
using Kind = Destroys::Kind;

Reply reply(int status, std::string body) {
  return Reply{status, std::move(body), "", Failure::none, Duration(0)};
}

std::string settings(const std::string& name, const std::string& uuid) {
  return Json{{name, {{"settings", {{"index", {{"uuid", uuid}}}}}}}}.dump();
}

std::string stats(int documents, int written) {
  const Json primaries = {{"docs", {{"count", documents}}}, {"indexing", {{"index_total", written}}}};
  return Json{{"_all", {{"primaries", primaries}}}}.dump();
}

/// A cluster that knows these paths and nothing else.
struct Fixture {
  FakeClock clock;
  ScriptedTransport cluster{clock};
  std::map<std::string, Reply> answers;

  std::vector<std::string> lost(const std::vector<Destroys>& targets) {
    cluster.answer = [this](const Asked& asked) {
      const auto it = answers.find(asked.target);
      return it == answers.end() ? reply(404, R"({"error":"nf","status":404})") : it->second;
    };
    const std::function<bool(const std::string&)> ours = [](const std::string& uuid) {
      return uuid == "ours";
    };
    std::vector<std::string> out;
    for (const Loss& loss : test::run(losses(cluster, targets, ours))) out.push_back(loss.what);
    return out;
  }
};

using Lost = std::vector<std::string>;

Challenge challenge_of(const std::vector<Json>& operations) {
  Challenge out;
  for (const Json& params : operations) {
    Task task;
    task.operation = {params.value("name", "o"), params.at("operation-type"), params, ""};
    Parallel step;
    step.tasks.push_back(task);
    out.schedule.push_back(step);
  }
  return out;
}

std::vector<std::string> names_of(const std::vector<Destroys>& destroyed) {
  std::vector<std::string> out;
  for (const Destroys& each : destroyed)
    out.push_back(std::to_string(static_cast<int>(each.kind)) + " " + each.name);
  return out;
}

Json raw(const char* method, const char* path) {
  return {{"operation-type", "raw-request"}, {"method", method}, {"path", path}};
}

TEST_CASE("an index with documents that is not ours would be lost", "[guard]") {
  Fixture f;
  f.answers["/logs/_settings"] = reply(200, settings("logs", "theirs"));
  f.answers["/logs/_stats/docs,indexing"] = reply(200, stats(1234567, 0));
  CHECK(f.lost({{Kind::index, "logs"}}) == Lost{"index logs (1,234,567 documents)"});
}

TEST_CASE("an index that a race made may go", "[guard]") {
  Fixture f;
  f.answers["/logs/_settings"] = reply(200, settings("logs", "ours"));
  f.answers["/logs/_stats/docs,indexing"] = reply(200, stats(5, 0));
  CHECK(f.lost({{Kind::index, "logs"}}).empty());
  CHECK(f.cluster.asked.size() == 1);
}

TEST_CASE("what is not there and what is empty cannot be lost", "[guard]") {
  Fixture f;
  f.answers["/empty/_settings"] = reply(200, settings("empty", "theirs"));
  f.answers["/empty/_stats/docs,indexing"] = reply(200, stats(0, 0));
  CHECK(f.lost({{Kind::index, "absent"}, {Kind::index, "empty"}}).empty());
}

TEST_CASE("documents that no refresh has shown yet count", "[guard]") {
  Fixture f;
  f.answers["/logs/_settings"] = reply(200, settings("logs", "theirs"));
  f.answers["/logs/_stats/docs,indexing"] = reply(200, stats(0, 7));
  CHECK(f.lost({{Kind::index, "logs"}}) == Lost{"index logs (7 written since its node started)"});
}

TEST_CASE("a closed index may hold anything", "[guard]") {
  Fixture f;
  f.answers["/logs/_settings"] = reply(200, settings("logs", "theirs"));
  f.answers["/logs/_stats/docs,indexing"] = reply(400, R"({"error":{"type":"index_closed_exception"}})");
  CHECK(f.lost({{Kind::index, "logs"}}) == Lost{"index logs (its number of documents is unknown)"});
}

TEST_CASE("flat settings give the index UUID as well", "[guard]") {
  Fixture f;
  f.answers["/a/_settings"] = reply(200, R"({"a":{"settings":{"index.uuid":"ours"}}})");
  CHECK(f.lost({{Kind::index, "a"}}).empty());
}

TEST_CASE("an alias is what it stands for", "[guard]") {
  Fixture f;
  Json both = parse_json_strictly(settings("logs-1", "theirs"));
  both.update(parse_json_strictly(settings("logs-2", "ours")));
  f.answers["/logs/_settings"] = reply(200, both.dump());
  f.answers["/logs-1/_stats/docs,indexing"] = reply(200, stats(1, 1));
  CHECK(f.lost({{Kind::index, "logs"}}) == Lost{"index logs (which is logs-1; 1 document)"});
}

TEST_CASE("wildcards and _all are always asked for", "[guard]") {
  Fixture f;
  CHECK(f.lost({{Kind::index, "logs-*"}, {Kind::index, "_all"}, {Kind::data_stream, "*"}}) ==
        Lost{"all indices that match logs-*", "all indices", "all data streams"});
  CHECK(f.cluster.asked.empty());
}

TEST_CASE("a comma list is looked at name by name, each once", "[guard]") {
  Fixture f;
  f.answers["/b/_settings"] = reply(200, settings("b", "theirs"));
  f.answers["/b/_stats/docs,indexing"] = reply(200, stats(2, 2));
  CHECK(f.lost({{Kind::index, "a,b"}, {Kind::index, "b"}, {Kind::index, "c*,b"}}) ==
        Lost{"index b (2 documents)", "all indices that match c*"});
}

TEST_CASE("a data stream is lost with its documents", "[guard]") {
  Fixture f;
  const auto stream = [](const char* uuid) {
    const Json index = {{"index_name", ".ds-1"}, {"index_uuid", uuid}};
    return Json{{"data_streams", {{{"name", "ds"}, {"indices", {index}}}}}}.dump();
  };
  f.answers["/_data_stream/ds"] = reply(200, stream("theirs"));
  f.answers["/_data_stream/mine"] = reply(200, stream("ours"));
  f.answers["/.ds-1/_stats/docs,indexing"] = reply(200, stats(3, 3));
  CHECK(f.lost({{Kind::data_stream, "ds"}, {Kind::data_stream, "mine"}, {Kind::data_stream, "absent"}}) ==
        Lost{"data stream ds (3 documents)"});
}

TEST_CASE("a template is lost if it is there", "[guard]") {
  Fixture f;
  f.answers["/_template/t"] = reply(200, R"({"t":{}})");
  f.answers["/_index_template/t"] = reply(200, R"({"index_templates":[{"name":"t"}]})");
  f.answers["/_component_template/t"] = reply(405, R"({"error":"Incorrect HTTP method"})");
  CHECK(f.lost({{Kind::legacy_template, "t"},
                {Kind::legacy_template, "u"},
                {Kind::composable_template, "t"},
                {Kind::component_template, "t"}}) == Lost{"legacy index template t", "index template t"});
}

TEST_CASE("a cluster that will not say stops the race", "[guard]") {
  const int status = GENERATE(401, 403, 500);
  Fixture f;
  f.answers["/logs/_settings"] = reply(status, R"({"error":{"type":"security_exception"}})");
  CHECK_THROWS_AS(f.lost({{Kind::index, "logs"}}), UserError);
}

TEST_CASE("a cluster that does not answer stops the race", "[guard]") {
  Fixture f;
  f.answers["/logs/_settings"] = Reply{0, "", "", Failure::connection, Duration(0)};
  CHECK_THROWS_WITH(f.lost({{Kind::index, "logs"}}),
                    "cannot tell what deleting index logs would destroy: connection refused");
}

TEST_CASE("a challenge destroys what its operations delete, each thing once", "[guard]") {
  Track track;
  track.indices = {{"a", Json::object()}, {"b", Json::object()}};
  track.templates = {{"t", "t-*", Json::object(), true}};
  const Challenge challenge = challenge_of({{{"operation-type", "delete-index"}},
                                            {{"operation-type", "refresh"}},
                                            {{"operation-type", "delete-index"}, {"index", "a"}},
                                            {{"operation-type", "delete-index-template"}}});
  CHECK(names_of(destroyed_by(challenge, track)) == Lost{"0 a", "0 b", "2 t", "0 t-*"});
}

TEST_CASE("raw requests that delete are known by method and path", "[guard]") {
  const Challenge challenge = challenge_of(
      {raw("DELETE", "/logs?ignore_unavailable=true"), raw("DELETE", "/_all"),
       raw("delete", "/_data_stream/ds/"), raw("DELETE", "/_index_template/i"), raw("DELETE", "/_template/t"),
       raw("DELETE", "/_component_template/c"), raw("POST", "/x%2Cy/_delete_by_query?conflicts=proceed"),
       raw("GET", "/logs"), raw("DELETE", "/logs/_doc/1"), raw("DELETE", "/_search/scroll"),
       raw("POST", "/logs/_close")});
  CHECK(names_of(destroyed_by(challenge, Track())) ==
        Lost{"0 logs", "0 _all", "1 ds", "3 i", "2 t", "4 c", "0 x,y"});
}

TEST_CASE("pipelines, policies, transforms and the like are asked for by their own paths", "[guard]") {
  Fixture f;
  f.answers = {{"/_transform/t", reply(200, R"({"count":1})")},
               {"/_ilm/policy/p", reply(200, "{}")},
               {"/_enrich/policy/none", reply(200, R"({"policies":[]})")},
               {"/_enrich/policy/e", reply(200, R"({"policies":[{"config":{}}]})")}};
  CHECK(f.lost({{Kind::transform, "t"},
                {Kind::transform, "other"},
                {Kind::lifecycle_policy, "p"},
                {Kind::enrich_policy, "none"},
                {Kind::enrich_policy, "e"},
                {Kind::ml_job, "*"}}) ==
        Lost{"transform t", "lifecycle policy p", "enrich policy e", "all jobs"});
}

TEST_CASE("operations that delete say what", "[guard]") {
  const Challenge challenge = challenge_of(
      {{{"operation-type", "delete-transform"}, {"transform-id", "t"}},
       {{"operation-type", "delete-ml-job"}, {"job-id", "j"}},
       {{"operation-type", "delete-ml-datafeed"}, {"datafeed-id", "d"}},
       {{"operation-type", "delete-ilm-policy"}, {"policy-name", "p"}},
       {{"operation-type", "delete-pipeline"}, {"id", "i"}},
       {{"operation-type", "delete-snapshot-repository"}, {"repository", "r"}},
       {{"operation-type", "enrich-policy"}, {"policies", {{"e", Json::object()}}}},
       {{"operation-type", "enrich-policy"}, {"policies", {{"kept", Json::object()}}}, {"delete", false}}});
  std::vector<std::string> found;
  for (const Destroys& one : destroyed_by(challenge, Track()))
    found.push_back(std::string(noun(one.kind)) + " " + one.name);
  CHECK(found == Lost{"transform t", "machine learning job j", "datafeed d", "lifecycle policy p",
                      "ingest pipeline i", "snapshot repository r", "enrich policy e"});
}

}  // namespace pacenote::guard_test
