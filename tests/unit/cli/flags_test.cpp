#include "cli/flags.hpp"

#include <map>

#include "tests/support/catch.hpp"
#include "tests/unit/cli/race_line.hpp"

namespace pacenote::cli::flags_test {

/// A value of each flag that works, other than its default.
const std::map<std::string, std::string> kValues = {
    {"--track", "geonames"},
    {"--track-path", ""},  // excludes --track: tested below
    {"--challenge", "c"},
    {"--track-repository", "https://host/tracks"},
    {"--track-revision", "8.15"},
    {"--track-params", "a:1"},
    {"--include-tasks", "a,b"},
    {"--exclude-tasks", "a,b"},
    {"--target-hosts", "h:9201"},
    {"--pipeline", "benchmark-only"},
    {"--client-options", "timeout:5"},
    {"--on-error", "abort"},
    {"--telemetry", "node-stats"},
    {"--telemetry-params", "a:1"},
    {"--user-tags", "a:b"},
    {"--user-tag", "a:b"},
    {"--race-id", "other"},
    {"--report-format", "csv"},
    {"--report-file", "f"},
    {"--report-numbers-align", "left"},
    {"--show-in-report", "all"},
    {"--store", "f"},
    {"--data-dir", "d"},
    {"--python", "p"},
    {"--driver-threads", "2"},
    {"--fail-on", "error_rate>0"},
    {"--junit-file", "j.xml"},
};

std::vector<std::string> with(const Flag& flag, const std::string& value) {
  std::vector<std::string> out = {"--track", "http_logs", "--race-id=r", std::string(flag.name)};
  if (flag.name == "--no-quiet") out.insert(out.begin(), "--quiet");
  if (!flag.value.empty()) out.back() += "=" + value;
  return out;
}

Json settings(const std::vector<std::string>& arguments) {
  return settings_for_store(test::race_line(arguments));
}

TEST_CASE("every flag of Rally's race stands in the table", "[flags]") {
  for (const char* name : {"--race-id",
                           "--pipeline",
                           "--track",
                           "--track-path",
                           "--track-repository",
                           "--track-revision",
                           "--track-params",
                           "--ignore-unused-track-params",
                           "--challenge",
                           "--target-hosts",
                           "--client-options",
                           "--load-driver-hosts",
                           "--on-error",
                           "--telemetry",
                           "--telemetry-params",
                           "--include-tasks",
                           "--exclude-tasks",
                           "--user-tags",
                           "--user-tag",
                           "--report-format",
                           "--report-numbers-align",
                           "--show-in-report",
                           "--report-file",
                           "--test-mode",
                           "--enable-driver-profiling",
                           "--enable-assertions",
                           "--multi-cluster",
                           "--kill-running-processes",
                           "--distribution-version",
                           "--distribution-repository",
                           "--revision",
                           "--car",
                           "--car-params",
                           "--runtime-jdk",
                           "--elasticsearch-plugins",
                           "--plugin-params",
                           "--team-path",
                           "--team-repository",
                           "--team-revision",
                           "--cluster-name",
                           "--preserve-install",
                           "--source-build-method",
                           "--effective-start-date",
                           "--skip-rest-api-check",
                           "--quiet",
                           "--no-quiet",
                           "--offline",
                           "--configuration-name"}) {
    INFO(name);
    int found = 0;
    for (const Flag& flag : race_flags())
      if (flag.name == name) ++found;
    CHECK(found == 1);
  }
}

TEST_CASE("a flag that works changes the options", "[flags]") {
  for (const Flag& flag : race_flags()) {
    if (flag.status != FlagStatus::works || flag.name == "--track-path") continue;
    INFO(flag.name);
    REQUIRE((flag.value.empty() || kValues.contains(std::string(flag.name))));
    const std::string value = flag.value.empty() ? "" : kValues.at(std::string(flag.name));
    const std::vector<std::string> quiet = {"--track", "http_logs", "--race-id=r", "--quiet"};
    const std::vector<std::string> plain = {"--track", "http_logs", "--race-id=r"};
    CHECK(settings(with(flag, value)) != settings(flag.name == "--no-quiet" ? quiet : plain));
    CHECK(flag.set != nullptr);
  }
  CHECK(test::race_line({"--track-path=t"}).track_path == "t");
}

TEST_CASE("a flag that does not work ends the race and is named", "[flags]") {
  for (const Flag& flag : race_flags()) {
    if (flag.status != FlagStatus::refused && flag.status != FlagStatus::not_yet) continue;
    INFO(flag.name);
    const test::Refusal refusal = test::refusal(with(flag, "some"));
    CHECK(refusal.code == ExitCode::failed);
    CHECK(refusal.text.find(std::string(flag.name) + " ") != std::string::npos);
    CHECK(std::count(refusal.text.begin(), refusal.text.end(), '\n') == 1);
  }
  const std::string car = test::refusal({"--track=t", "--car=4gheap"}).text;
  CHECK(car.find("pacenote drives clusters and does not install them") != std::string::npos);
}

TEST_CASE("one flag alone is ignored, and says so in the help", "[flags]") {
  std::vector<std::string_view> ignored;
  for (const Flag& flag : race_flags())
    if (flag.status == FlagStatus::ignored) ignored.push_back(flag.name);
  CHECK(ignored == std::vector<std::string_view>{"--kill-running-processes"});
  CHECK(settings({"--track=t", "--race-id=r", "--kill-running-processes"}) ==
        settings({"--track=t", "--race-id=r"}));
}

TEST_CASE("flags that are not there yet may ask for what is so anyway", "[flags]") {
  CHECK(test::race_line({"--track=t", "--load-driver-hosts=localhost"}).track == "t");
  CHECK(test::refusal({"--track=t", "--load-driver-hosts=h1,h2"}).code == ExitCode::failed);
}

TEST_CASE("gates collect, and a wrong one is found before anything else is", "[flags]") {
  const Json both = settings({"--track=t", "--fail-on=error_rate>0", "--fail-on", "p99 latency>1s"});
  CHECK(both["fail-on"] == Json({"error_rate>0", "p99 latency>1s"}));
  CHECK_THROWS_WITH(settings({"--track=t", "--fail-on=eror_rate>0"}), Catch::Contains("eror_rate"));
}

}  // namespace pacenote::cli::flags_test
