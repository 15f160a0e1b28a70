#include "tracks/reader.hpp"

#include "tests/support/catch.hpp"
#include "tests/unit/tracks/support.hpp"

namespace pacenote::tracks::reader_test {

using test::refusal;

const char* const search = R"({"operation-type": "search", "name": "q", "index": "a"})";

Track read(const std::string& text) {
  ReadContext context;
  context.name = "t";
  context.file = "t/track.json";
  context.body = [](const std::string& file) { return Json{{"file", file}}; };
  return read_track(parse_json_strictly(text), context);
}

std::string with_task(const std::string& keys) {
  return std::string(R"({"schedule": [{"operation": )") + search + ", " + keys + "}]}";
}

Task only_task(const std::string& keys) {
  return read(with_task(keys)).challenges.at(0).schedule.at(0).tasks.at(0);
}

TEST_CASE("a task's keys become its values", "[reader]") {
  const Task task = only_task(
      R"("name": "n", "clients": 3, "warmup-time-period": 10, "time-period": 60, "ramp-up-time-period": 5,
         "schedule": "poisson", "target-throughput": "100 docs/s", "ignore-response-error-level": "non-fatal",
         "tags": ["x", "y"], "meta": {"k": "v"}, "own": 1)");
  CHECK(task.name == "n");
  CHECK(task.operation.name == "q");
  CHECK(task.clients == 3);
  CHECK(task.limits.warmup == std::chrono::seconds(10));
  CHECK(task.limits.period == std::chrono::seconds(60));
  CHECK(task.limits.ramp_up == std::chrono::seconds(5));
  CHECK_FALSE(task.limits.iterations.has_value());
  CHECK(task.schedule == "poisson");
  REQUIRE(task.target.has_value());
  CHECK(task.target->per_second == 100);
  CHECK(task.target->unit == "docs");
  CHECK(task.errors_non_fatal);
  CHECK(task.tags == std::vector<std::string>{"x", "y"});
  CHECK(task.params["own"] == 1);
}

TEST_CASE("a mistake is named with its file, its JSON path, what must be there and what is", "[reader]") {
  const auto [keys, message] = GENERATE(table<std::string, std::string>(
      {{R"("clients": "x")",
        "t/track.json: schedule[0].clients: must be integer of at least 1 and at most 1000000; found \"x\" "
        "| "},
       {R"("clients": 0)",
        "t/track.json: schedule[0].clients: must be integer of at least 1 and at most 1000000; found 0 | "},
       {R"("time-period": 1.5)",
        "t/track.json: schedule[0].time-period: must be integer of at least 1 and at most 1000000000; found "
        "1.5 | "},
       {R"("target-throughput": -1)",
        "t/track.json: schedule[0].target-throughput: must be number of at least 0 or string; found -1 | "},
       {R"("ignore-response-error-level": "mild")",
        "t/track.json: schedule[0]: `ignore-response-error-level` can only be \"non-fatal\" (or \"fatal\", "
        "the default); found \"mild\" | "},
       {R"("ramp-up-time-period": 3)",
        "t/track.json: schedule[0]: `ramp-up-time-period` needs a `warmup-time-period` | "}}));
  CHECK(refusal([&] { read(with_task(keys)); }) == message);
}

TEST_CASE("all mistakes against the schema are told at once", "[reader]") {
  CHECK(refusal([] { read(R"({"description": 1, "schedule": [{"operation": "x", "clients": 0}]})"); }) ==
        "t/track.json: description: must be string; found 1\n"
        "t/track.json: schedule[0].clients: must be integer of at least 1 and at most 1000000; found 0 | 2 "
        "mistakes");
}

TEST_CASE("a missing key is named", "[reader]") {
  CHECK(refusal([] { read(R"({"schedule": [{"name": "x"}]})"); }) ==
        "t/track.json: schedule[0]: `operation` is missing | ");
  CHECK(refusal([] { read(R"({"challenges": [{"name": "x"}]})"); }) ==
        "t/track.json: challenges[0]: `schedule` is missing | ");
  CHECK(refusal([] { read(R"({"corpora": [{"name": "c"}], "schedule": [{"operation": "refresh"}]})"); }) ==
        "t/track.json: corpora[0]: `documents` is missing | ");
}

TEST_CASE("a parallel element hands its limits down", "[reader]") {
  const Track track = read(
      R"({"schedule": [{"parallel": {"warmup-time-period": 10, "time-period": 20, "ramp-up-time-period": 5, "clients": 3,
          "completed-by": "b", "tasks": [{"name": "a", "operation": "x"},
          {"name": "b", "operation": "x", "clients": 2, "time-period": 30}]}}]})");
  const Parallel& step = track.challenges.at(0).schedule.at(0);
  CHECK(step.client_slots() == 3);
  CHECK(step.tasks[0].limits.period == std::chrono::seconds(20));
  CHECK(step.tasks[0].limits.ramp_up == std::chrono::seconds(5));
  CHECK(step.tasks[1].limits.period == std::chrono::seconds(30));
  CHECK_FALSE(step.tasks[0].completes_parent);
  CHECK(step.tasks[1].completes_parent);
}

TEST_CASE("built-in administrative operations are not reported unless they say so", "[reader]") {
  const test::FakeParts<OperationType> types(test::rally_types());
  const Track track = read(
      R"({"schedule": [{"operation": "refresh"}, {"operation": "search"},
          {"name": "h", "operation": {"operation-type": "cluster-health", "include-in-reporting": true}}]})");
  const auto& schedule = track.challenges.at(0).schedule;
  CHECK_FALSE(schedule[0].tasks[0].include_in_reporting);
  CHECK(schedule[1].tasks[0].include_in_reporting);
  CHECK(schedule[2].tasks[0].include_in_reporting);
}

TEST_CASE("an unknown operation type, source or scheduler is refused with the nearest name", "[reader]") {
  const test::FakeParts<OperationType> types(test::rally_types());
  const auto check = [](const std::string& text, const std::string& plugin) {
    return refusal([&] { check_operations(read(text).challenges.at(0), plugin); });
  };
  CHECK(check(R"({"schedule": [{"operation": "serch"}]})", "") ==
        "task [serch] of challenge [default] needs operation type [serch], which is unknown | did you mean "
        "search?");
  CHECK(check(R"({"schedule": [{"operation": "own-thing"}]})", "track.py").find("track.py") !=
        std::string::npos);
  CHECK(check(R"({"schedule": [{"operation": {"operation-type": "search", "param-source": "mine"}}]})", "")
            .find("needs parameter source [mine]") != std::string::npos);
  CHECK(check(R"({"schedule": [{"operation": "search", "schedule": "mine"}]})", "")
            .find("needs scheduler [mine]") != std::string::npos);
  CHECK(check(R"({"schedule": [{"operation": "search"}]})", "track.py").empty());
}

TEST_CASE("a challenge lists all that it needs of a track.py, and what of Rally is not there yet",
          "[reader]") {
  const test::FakeParts<OperationType> types(test::rally_types());
  const Track track = read(
      R"({"schedule": [{"operation": "own"}, {"operation": {"operation-type": "search", "param-source": "p"}},
          {"operation": "other", "schedule": "s"}, {"name": "again", "operation": "own"},
          {"operation": "downsample"}]})");
  auto& registered = Registry<OperationType>::all();
  auto taken_out = registered.extract("downsample");
  const std::string text = refusal([&] { check_operations(track.challenges.at(0), "track.py"); });
  registered.insert(std::move(taken_out));
  CHECK(text.find(
            "operation types [own, other], parameter source [p], scheduler [s] of the track's track.py") !=
        std::string::npos);
  CHECK(text.find("needs operation type [downsample], which pacenote does not have yet") !=
        std::string::npos);
}

TEST_CASE("a track's mistakes are shown all at once", "[reader]") {
  const std::string text = refusal([] {
    read(R"({"indices": [{"name": "a", "types": []}], "templates": [{"name": 7}],
             "operations": [{"name": "o", "operation-type": "x"}, {"name": "o", "operation-type": "x"}],
             "corpora": [{"name": "c", "documents": [{"source-file": "f"}]}],
             "schedule": [{"operation": "o", "iterations": 1, "warmup-time-period": 1},
                          {"operation": "o", "target-interval": 1, "target-throughput": 1}]})");
  });
  for (const char* part : {"templates[0].name", "document types no longer", "two operations are named [o]",
                           "`document-count` is missing", "schedule[0]: `warmup-time-period`",
                           "schedule[1]: `target-throughput`", "6 mistakes"}) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("beside what breaks the schema all else that is wrong is shown", "[reader]") {
  const std::string text = refusal([] {
    read(R"({"indices": [{"name": "a"}, {"name": 7}, {"name": "c", "types": []}],
             "corpora": [{"name": "c", "documents": [{"source-file": 1}, {"source-file": "f"}]}, {"name": "d"},
                         {"name": "c", "documents": [{"source-file": "f", "document-count": 1}]}],
             "challenges": [{"name": "x", "schedule": [{"operation": "search", "clients": 0},
                {"parallel": {"tasks": [{"operation": "search", "iterations": "many"},
                                        {"operation": "search", "iterations": 1, "warmup-time-period": 1}]}}]},
               {"schedule": []}, {"name": "x", "schedule": [{"operation": {"name": 5}}]}]})");
  });
  for (const char* part :
       {"indices[1].name: must be string", "indices[2].types: document types",
        "corpora[1]: `documents` is missing", "corpora[0].documents[0].source-file: must be string",
        "corpora[0].documents[1]: `document-count`", "corpora[2]: two corpora are named [c]",
        "challenges[0].schedule[0].clients: must be integer",
        "challenges[0].schedule[1].parallel.tasks[0].iterations: must be integer",
        "challenges[0].schedule[1].parallel.tasks[1]: `warmup-time-period`", "challenges[1]"}) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(text.find("target-index") == std::string::npos);  // unknown, since not all indices could be read
  CHECK(text.find("is the default") == std::string::npos);
}

TEST_CASE("the words of OpenSearch Benchmark are understood", "[reader]") {
  const test::FakeParts<OperationType> types(test::rally_types());
  ReadContext context{"w", "w/workload.json", [](const std::string&) { return Json::object(); }, "", true};
  const Track track =
      read_track(parse_json_strictly(R"({"indices": [{"name": "a", "body": ""}, {"name": "b"}],
          "corpora": [{"name": "v", "target-index": "", "documents": [
            {"source-file": "v.hdf5.bz2", "source-format": "hdf5", "document-count": 5}]}],
          "test_procedures": [{"name": "p", "schedule": [
            {"operation": {"operation-type": "refresh", "include-in-results_publishing": true}}]}]})"),
                 context);
  CHECK(track.challenges.at(0).is_default);
  CHECK(track.challenges.at(0).schedule.at(0).tasks.at(0).include_in_reporting);
  CHECK(track.corpora.at(0).documents.at(0).file == "v.hdf5");
}

TEST_CASE("a corpus hands its settings down to its document sets", "[reader]") {
  const Track track = read(
      R"({"indices": [{"name": "a"}, {"name": "b"}], "schedule": [{"operation": "x"}],
          "corpora": [{"name": "c", "base-url": "http://h/x", "target-index": "a", "documents": [
            {"source-file": "1.json", "document-count": 5, "target-index": "b"},
            {"source-file": "2.json.zst", "document-count": 6, "includes-action-and-meta-data": true},
            {"source-file": "3.tar.gz", "document-count": 7}]}]})");
  const auto& documents = track.corpora.at(0).documents;
  CHECK(documents[0].target_index == "b");
  CHECK(documents[1].target_index.empty());
  CHECK(documents[1].file == "2.json");
  CHECK(documents[1].archive == "2.json.zst");
  CHECK(documents[2].file == "3");
  CHECK(documents[2].target_index == "a");
  CHECK(documents[2].base_url == "http://h/x");
}

TEST_CASE("a template's body is the part that template-path names", "[reader]") {
  const std::string track =
      R"({"component-templates": [{"name": "m", "template": "m.json", "template-path": "PATH"}],
                                "schedule": [{"operation": "refresh"}]})";
  const auto at = [&](const std::string& path) {
    std::string text = track;
    text.replace(text.find("PATH"), 4, path);
    return read(text).component_templates.at(0).body;
  };
  CHECK(at("file") == "m.json");
  CHECK(
      refusal([&] { at("file.no"); }) ==
      "t/track.json: component-templates[0]: `template-path` file.no is not in m.json: there is no `no` | ");
}

}  // namespace pacenote::tracks::reader_test
