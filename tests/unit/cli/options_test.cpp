#include "cli/options.hpp"

#include <fmt/format.h>

#include "cli/help.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/cli/race_line.hpp"

namespace pacenote::cli::options_test {

TEST_CASE("the command of experiment E1 is understood as it stands", "[options]") {
  const RaceOptions o = test::race_line(
      {R"(--user-tags={"benchmark_id": "1.1-http_logs-w20p1r1"})", "--track=http_logs",
       "--kill-running-processes", "--target-hosts=https://HOST:9200", "--pipeline=benchmark-only",
       "--client-options=verify_certs:false,basic_auth_user:'rally',basic_auth_password:'*'",
       R"(--track-params={"bulk_indexing_clients":20,"number_of_shards":1,"number_of_replicas":1})",
       "--challenge=append-no-conflicts-index-only"});
  CHECK(o.user_tags == Json{{"benchmark_id", "1.1-http_logs-w20p1r1"}});
  CHECK(o.track == "http_logs");
  CHECK(o.challenge == "append-no-conflicts-index-only");
  CHECK_FALSE(o.sandbox);
  REQUIRE(o.target.hosts.size() == 1);
  CHECK(o.target.hosts.front().name == "host");
  CHECK(o.target.hosts.front().tls);
  CHECK_FALSE(o.target.options.verify_certs);
  CHECK(o.target.options.basic_auth_user == "rally");
  CHECK(o.target.options.basic_auth_password == "*");
  CHECK(o.track_params.at("bulk_indexing_clients") == 20);
  CHECK(o.race_id.size() == 36);
}

TEST_CASE("values may stand behind a blank, and the last one counts", "[options]") {
  const RaceOptions o = test::race_line(
      {"--track", "a", "--track", "b", "--user-tags", "x:1", "--include-tasks", R"(["p", "q,r"])"});
  CHECK(o.track == "b");
  CHECK(o.include_tasks == std::vector<std::string>{"p", "q,r"});
}

TEST_CASE("an empty value is a value", "[options]") {
  CHECK(test::race_line({"--track-params", "", "--track", "t"}).track_params == Json::object());
}

TEST_CASE("the sandbox is the target only where nothing says otherwise", "[options]") {
  CHECK(test::race_line({"--track=t"}).sandbox);
  CHECK(test::race_line({"--track=t"}).target.hosts.empty());
  CHECK(test::race_line({"--track=t", "--client-options=timeout:5"}).target.options.timeout ==
        std::chrono::seconds(5));
  const RaceOptions local = test::race_line({"--track=t", "--pipeline=benchmark-only"});
  CHECK_FALSE(local.sandbox);
  REQUIRE(local.target.hosts.size() == 1);
  CHECK(local.target.hosts.front().port == 9200);
}

TEST_CASE("mistakes on the command line end with code 2 and name the flag", "[options]") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes = {
      {{}, "--track is missing"},
      {{"--track=t", "--track-path=p"}, "--track-path"},
      {{"--track=t", "--include-tasks=a", "--exclude-tasks=b"}, "--exclude-tasks"},
      {{"--track", "--challenge=c"}, "--track needs a value"},
      {{"--track=t", "--on-error=abrot"}, "did you mean abort?"},
      {{"--track=t", "--show-in-report=some"}, "--show-in-report cannot be [some]"},
      {{"--track=t", "--pipeline=benchmark-onyl"}, "did you mean benchmark-only?"},
      {{"--track=t", "--driver-threads=0"}, "--driver-threads"},
      {{"--track=t", "--driver-threads=2x"}, "--driver-threads"},
      {{"--track=t", "--user-tags=5"}, "--user-tags must be an object"},
      {{"--track=t", "--race-id=a b"}, "--race-id"},
  };
  for (const auto& [arguments, text] : mistakes) {
    INFO(text);
    const test::Refusal refusal = test::refusal(arguments);
    CHECK(refusal.code == ExitCode::usage);
    CHECK(refusal.text.find(text) != std::string::npos);
  }
}

TEST_CASE("pipelines that install a cluster are refused", "[options]") {
  const test::Refusal refusal = test::refusal({"--track=t", "--pipeline=from-distribution"});
  CHECK(refusal.code == ExitCode::failed);
  CHECK(refusal.text.find("does not install them") != std::string::npos);
}

TEST_CASE("what is stored of the options holds no secret", "[options]") {
  const RaceOptions o = test::race_line(
      {"--track=t", "--target-hosts=https://u:hunter2@h:1/p",
       R"(--client-options={"headers": {"authorization": "hunter2"}, "client_cert": "c", "client_key": "hunter2"})",
       R"(--track-params={"secret_token": "hunter2", "a": 1})"});
  const Json stored = settings_for_store(o);
  CHECK(stored.dump().find("hunter2") == std::string::npos);
  CHECK(stored.at("track-params") == Json{{"secret_token", "<hidden>"}, {"a", 1}});
  CHECK(stored.at("target-hosts") == Json{"https://h:1/p"});
  CHECK(stored.at("client-options").at("auth") == "basic");
  CHECK(settings_for_store(test::race_line({"--track=t", "--client-options=api_key:hunter2"}))
            .dump()
            .find("hunter2") == std::string::npos);
}

}  // namespace pacenote::cli::options_test
