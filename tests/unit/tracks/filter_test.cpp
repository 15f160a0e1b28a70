#include "tracks/filter.hpp"

#include "tests/support/catch.hpp"
#include "tests/unit/tracks/support.hpp"

namespace pacenote::tracks::filter_test {

using test::refusal;

Task task(const std::string& name, const std::string& type, std::vector<std::string> tags = {}) {
  Task out;
  out.name = name;
  out.operation.type = type;
  out.tags = std::move(tags);
  return out;
}

Challenge challenge() {
  Challenge out;
  out.name = "c";
  out.schedule.resize(3);
  out.schedule[0].tasks = {task("idx", "bulk", {"setup"})};
  out.schedule[1].tasks = {task("q1", "search", {"read"}), task("m", "force-merge")};
  out.schedule[2].tasks = {task("last", "refresh")};
  return out;
}

std::string left(const std::vector<std::string>& include, const std::vector<std::string>& exclude) {
  Challenge filtered = challenge();
  filter_tasks(filtered, include, exclude);
  std::string out;
  for (const Parallel& step : filtered.schedule) {
    for (const Task& one : step.tasks) out += one.name + " ";
    out += "/ ";
  }
  return out;
}

TEST_CASE("filters keep or drop tasks by name, type and tag", "[filter]") {
  CHECK(left({"q1", "last"}, {}) == "q1 / last / ");
  CHECK(left({"type:search"}, {}) == "q1 / ");
  CHECK(left({"tag:setup"}, {}) == "idx / ");
  CHECK(left({}, {"type:search"}) == "idx / m / last / ");
  CHECK(left({}, {"q1", "m"}) == "idx / last / ");
}

TEST_CASE("a filter that matches nothing is refused with the nearest name", "[filter]") {
  CHECK(refusal([] { left({"lats"}, {}); }) ==
        "task filter [lats] matches no task of challenge [c] | did you mean last?");
  CHECK(refusal([] { left({}, {"type:serch"}); }) ==
        "task filter [type:serch] matches no task of challenge [c] | did you mean search?");
  CHECK(refusal([] { left({"foo:bar"}, {}); }) ==
        "task filter [foo:bar] cannot be read | NAME, type:TYPE or tag:TAG");
  CHECK_FALSE(refusal([] { left({"idx"}, {"last"}); }).empty());
  CHECK_FALSE(refusal([] { left({}, {"idx", "q1", "m", "last"}); }).empty());
}

TEST_CASE("test mode shortens documents, iterations and periods and takes the throttle away", "[filter]") {
  Track track;
  track.corpora.resize(1);
  track.corpora[0].documents.resize(2);
  track.corpora[0].documents[0].file = "sub/y.json";
  track.corpora[0].documents[0].archive = "sub/y.json.bz2";
  track.corpora[0].documents[0].count = 1001;
  track.corpora[0].documents[0].uncompressed_bytes = 5;
  track.corpora[0].documents[1].file = "z.json";
  track.corpora[0].documents[1].count = 1000;
  track.challenges.push_back(challenge());
  Task& first = track.challenges[0].schedule[0].tasks[0];
  first.clients = 4;
  first.limits.iterations = 100;
  first.limits.warmup = std::chrono::seconds(5);
  first.limits.period = std::chrono::seconds(60);
  first.target = TargetThroughput{10, "docs"};
  apply_test_mode(track);
  CHECK(track.corpora[0].documents[0].file == "sub/y-1k.json");
  CHECK(track.corpora[0].documents[0].archive == "sub/y-1k.json.bz2");
  CHECK(track.corpora[0].documents[0].count == 1000);
  CHECK_FALSE(track.corpora[0].documents[0].uncompressed_bytes.has_value());
  CHECK(track.corpora[0].documents[1].file == "z.json");
  CHECK(first.limits.iterations == 4);
  CHECK(first.limits.warmup == Duration::zero());
  CHECK(first.limits.period == std::chrono::seconds(10));
  CHECK(first.target->per_second > 9e18);
  CHECK(first.target->unit == "docs");
}

TEST_CASE("what cannot run on serverless leaves the challenge, parallel elements stay", "[filter]") {
  Challenge one = challenge();
  one.schedule[0].tasks = {task("stats", "node-stats")};
  one.schedule.resize(6);
  one.schedule[3].tasks = {task("forced", "create-ilm-policy")};
  one.schedule[3].tasks[0].operation.params = {{"run-on-serverless", true}};
  one.schedule[4].tasks = {task("never", "search")};
  one.schedule[4].tasks[0].params = {{"run-on-serverless", false}};
  one.schedule[5].tasks = {task("own", "of-a-plugin")};
  Challenge as_operator = one;
  CHECK(filter_serverless(one, false) == std::vector<std::string>{"stats", "never"});
  CHECK(one.schedule.size() == 4);
  CHECK(filter_serverless(as_operator, true) == std::vector<std::string>{"never"});
}

}  // namespace pacenote::tracks::filter_test
