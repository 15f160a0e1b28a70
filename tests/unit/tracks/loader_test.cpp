#include "tracks/loader.hpp"

#include <unistd.h>

#include "tests/support/catch.hpp"
#include "tests/unit/tracks/support.hpp"
#include "tracks/host.hpp"

namespace pacenote::tracks::loader_test {

using test::refusal;

const char* const plain = R"({"schedule": [{"operation": "search"}]})";

/// Tests with templates need Python and jinja2, which a machine may lack.
bool python_is_missing() {
  const std::string why = refusal([] { SideCar("").start(); });
  if (!why.empty()) WARN("SKIPPED: " << why);
  return !why.empty();
}

LoadOptions at(const std::filesystem::path& path) {
  LoadOptions options;
  options.track_path = path;
  return options;
}

std::vector<std::string> names(const Challenge& challenge) {
  std::vector<std::string> out;
  for (const Parallel& step : challenge.schedule)
    for (const Task& task : step.tasks) out.push_back(task.name);
  return out;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("a plain JSON track loads without Python", "[loader]") {
  const test::FakeParts<OperationType> types(test::rally_types());
  const test::Folder folder;
  folder.write("mine/track.json", plain);
  LoadOptions options = at(folder.path() / "mine");
  options.python = "/nonexistent/python3";
  CHECK(load(options).track.name == "mine");
  options.track_path = folder.path() / "mine" / "";
  CHECK(load(options).track.name == "mine");
  options.track_path = folder.write("other.json", plain);
  const Loaded loaded = load(options);
  CHECK(loaded.track.name == "other");
  CHECK(loaded.track.directory == folder.path());
  CHECK(loaded.challenge.auto_generated);
  CHECK_FALSE(loaded.track.bundled);
}

TEST_CASE("a track that is not there is named", "[loader]") {
  const test::Folder folder;
  CHECK(has(refusal([&] { load(at(folder.path())); }), "has no track.json"));
  CHECK(has(refusal([&] { load(at(folder.path() / "no.json")); }), "no.json does not exist"));
  CHECK(has(refusal([&] { load(at(folder.write("t.yml", ""))); }), "is no .json file"));
  LoadOptions options;
  options.track = "htp_logs";
  CHECK(has(refusal([&] { load(options); }), "unknown track [htp_logs] | did you mean http_logs?"));
}

TEST_CASE("an unknown challenge is refused with the nearest name", "[loader]") {
  const test::FakeParts<OperationType> types(test::rally_types());
  const test::Folder folder;
  LoadOptions options = at(folder.write("t.json", plain));
  options.challenge = "defualt";
  CHECK(has(refusal([&] { load(options); }),
            "unknown challenge [defualt] for track [t] | did you mean default?"));
}

TEST_CASE("no interpreter with jinja2 is one line with a way out", "[loader]") {
  const test::Folder folder;
  LoadOptions options = at(folder.write("t.json", R"({"schedule": [{"operation": "{{ x }}"}]})"));
  options.python = "/nonexistent/python3";
  const std::string text = refusal([&] { load(options); });
  CHECK(has(text, "track templates need Python 3 with jinja2; tried: /nonexistent/python3"));
  CHECK(has(text, "python3-jinja2"));
}

TEST_CASE("the bundled http_logs has the tasks of the ingest race in order", "[loader][sidecar]") {
  if (python_is_missing()) return;
  const test::FakeParts<OperationType> types(test::rally_types());
  LoadOptions options;
  options.track = "http_logs";
  options.challenge = "append-no-conflicts-index-only";
  options.params =
      parse_json_strictly(R"({"bulk_indexing_clients": 20, "number_of_shards": 1, "number_of_replicas": 1})");
  const Loaded loaded = load(options);
  CHECK(loaded.warnings.empty());
  CHECK(names(loaded.challenge) ==
        std::vector<std::string>{"delete-index", "create-index", "check-cluster-health", "index-append",
                                 "refresh-after-index", "force-merge", "refresh-after-force-merge",
                                 "wait-until-merges-finish"});
  CHECK(loaded.challenge.schedule[3].tasks[0].clients == 20);
  CHECK(loaded.track.indices[0].body["settings"]["index.number_of_shards"] == 1);
  CHECK(loaded.track.indices[0].body["settings"]["index.number_of_replicas"] == 1);
  CHECK(loaded.track.corpora[0].documents[0].count == 1'000'000);
  CHECK(loaded.track.corpora[0].documents[0].file == "documents-1000000.json");
}

TEST_CASE("every bundled track says why one would run it", "[loader]") {
  for (const auto& [name, description] : bundled_tracks()) CHECK(description.size() > 20);
  CHECK(bundled_tracks().front().first == "http_logs");
}

TEST_CASE("mistakes in templates are shown where they were made (O3)", "[loader][sidecar]") {
  if (python_is_missing()) return;
  const test::FakeParts<OperationType> types(test::rally_types());
  const test::Folder folder;
  LoadOptions options = at(folder.path());
  SECTION("(a) an undefined name in a calculation, with file and line of the part") {
    folder.write("track.json", "{\n\"schedule\": [\n{{ rally.collect(parts=\"ops/*.json\") }}\n]}");
    folder.write("ops/x.json", "{" + std::string(13, '\n') + "\"operation\": \"{{ runtime-fields }}\"\n}");
    options.params = Json{{"runtime_fields", 1}};
    const std::string text = refusal([&] { load(options); });
    CHECK(has(text, "ops/x.json:14: `runtime` is undefined"));
    CHECK(has(text, "did you mean runtime_fields?"));
  }
  SECTION("(b) a block that is never closed") {
    folder.write("track.json", "{\n\"challenges\": [\n{{ rally.collect(parts=\"challenges/*.json\") }}\n]}");
    folder.write("challenges/default.json", "{\n{% if x %}\n}");
    const std::string text = refusal([&] { load(options); });
    CHECK(has(text, "template error"));
    CHECK(has(text, ".json:"));
  }
  SECTION("(c) a parameter that was not given") {
    folder.write("track.json",
                 "{\"schedule\": [{\"operation\": {\"operation-type\": \"search\",\n\"index\": {{ index_name "
                 "| tojson }}}}]}");
    CHECK(has(refusal([&] { load(options); }),
              "track.json:2: parameter `index_name` is required and was not given"));
  }
  SECTION("(d) a parameter that the track does not know") {
    folder.write("track.json",
                 R"({"schedule": [{"operation": "search", "clients": {{ bulk_size | default(1) }}}]})");
    options.params = Json{{"bulk_sze", 500}};
    CHECK(has(refusal([&] { load(options); }),
              "the track does not use the parameter `bulk_sze` | did you mean bulk_size instead of bulk_sze? "
              "it knows bulk_size"));
    options.ignore_unused_params = true;
    CHECK(load(options).warnings.size() == 1);
  }
  SECTION("(e) a comma that is missing, with the rendered text kept") {
    folder.write(
        "track.json",
        "{# c #}{\"schedule\": [\n  {\"operation\": \"search\"}\n  {\"operation\": \"refresh\"}\n]}");
    const std::string text = refusal([&] { load(options); });
    CHECK(has(text, "track.json (rendered):3:3 is not JSON"));
    CHECK(has(text, "\n     3 |   {\"operation\": \"refresh\"}\n       |   ^"));
    const std::string mark = "the rendered text is in ";
    const std::filesystem::path kept = text.substr(text.find(mark) + mark.size());
    CHECK(std::filesystem::exists(kept));
    std::filesystem::remove(kept);
  }
}

TEST_CASE("a reserved parameter is refused", "[loader]") {
  LoadOptions options;
  options.track = "http_logs";
  options.params = Json{{"now", 1}};
  CHECK(has(refusal([&] { load(options); }), "`now` is reserved"));
}

TEST_CASE("a name that prints as nothing is a warning, and the hint of a JSON error", "[loader][sidecar]") {
  if (python_is_missing()) return;
  const test::FakeParts<OperationType> types(test::rally_types());
  const test::Folder folder;
  LoadOptions options = at(folder.write("t.json", "{\"schedule\": [{\"operation\": \"search{{ x }}\"}]}"));
  const Loaded loaded = load(options);
  REQUIRE(loaded.warnings.size() == 1);
  CHECK(has(loaded.warnings[0], "`x` is undefined at"));
  options.track_path = folder.write("u.json", "{\"schedule\": {{ x }} }");
  const std::string text = refusal([&] { load(options); });
  CHECK(has(text, "`x` is undefined at"));
  const std::string mark = "the rendered text is in ";
  const std::size_t start = text.find(mark) + mark.size();
  std::filesystem::remove(text.substr(start, text.find(';', start) - start));
}

TEST_CASE("a template that never ends is stopped", "[loader][sidecar]") {
  if (python_is_missing()) return;
  SideCar side_car("");
  side_car.patience = std::chrono::milliseconds(200);
  const std::string endless =
      "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}";
  const Json request = {{"folder", ""},
                        {"files", {{"t.json", endless}}},
                        {"file", "t.json"},
                        {"params", Json::object()},
                        {"build_flavor", "default"},
                        {"serverless_operator", false},
                        {"now", nullptr},
                        {"full", true}};
  CHECK(has(refusal([&] { side_car.ask(request); }), "a template was stopped"));
}

TEST_CASE("one side-car serves many tracks and keeps them apart", "[loader][sidecar]") {
  if (python_is_missing()) return;
  const test::FakeParts<OperationType> types(test::rally_types());
  const test::Folder folder;
  folder.write("one/a/track.json", "{\"schedule\": [{{ part }}, {\"operation\": \"search\"}]}");
  folder.write("two/b/track.json", "{% include '../../one/a/secret.json' %}{{ part }}");
  folder.write("two/b/more.json", "{{ rally.collect(parts=\"../../one/a/*.json\") }}");
  SideCar side_car("");
  LoadOptions options = at(folder.path() / "one" / "a");
  options.side_car = &side_car;
  options.params = {{"part", "{\"operation\": \"refresh\"}"}};
  CHECK(names(load(options).challenge) == std::vector<std::string>{"refresh", "search"});
  options.params = Json::object();
  CHECK_FALSE(rendered(options).find("refresh") != std::string::npos);  // nothing of the request before
  options.track_path = folder.path() / "two" / "b";
  CHECK(has(refusal([&] { rendered(options); }), "is missing"));
  options.track_path = folder.path() / "two" / "b" / "more.json";
  CHECK(has(refusal([&] { rendered(options); }), "lies outside"));
  side_car.patience = std::chrono::milliseconds(300);
  options.track_path = folder.write(
      "c.json", "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}");
  CHECK(has(refusal([&] { rendered(options); }), "a template was stopped"));
  side_car.patience = std::chrono::seconds(60);
  options.track_path = folder.path() / "one" / "a";
  CHECK_FALSE(rendered(options).empty());  // by another child
}

}  // namespace pacenote::tracks::loader_test
