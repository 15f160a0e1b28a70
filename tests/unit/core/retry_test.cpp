#include "core/retry.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/notes.hpp"
#include "tests/support/run.hpp"
#include "tests/support/scripted_transport.hpp"

namespace pacenote::retry_test {

using test::FakeClock;
using test::Reply;
using test::ScriptedTransport;

const Reply kBusy{503, R"({"error":"no master"})", "", Failure::none, std::chrono::milliseconds(1)};
const Reply kSlow{0, "", "", Failure::timeout, std::chrono::seconds(1)};
const Reply kBad{400, R"({"error":"x"})", "", Failure::none, std::chrono::milliseconds(1)};
const Reply kGood{};

struct Fixture {
  FakeClock clock;
  ScriptedTransport cluster{clock};
  Stop stop;
  test::KeptNotes notes;
  Operation operation{"t", "refresh", Json::object(), ""};

  Outcome run(const Json& params) {
    operation.params = params;
    const Track track;
    auto source = Registry<OperationType>::get("type", operation.type).params(operation, track, Share());
    auto runner = make_runner(operation);
    Call call;
    source->next(call);
    Bench bench{cluster, clock, stop, notes, "wait"};
    return test::run(runner->run(bench, call));
  }
};

TEST_CASE("an operation type that nobody registered is the user's mistake", "[retry]") {
  CHECK_THROWS_AS(make_runner(Operation{"x", "refersh", Json::object(), ""}), UserError);
}

TEST_CASE("without retry parameters a request is made once", "[retry]") {
  Fixture f;
  f.cluster.script = {kSlow, kGood};
  const Outcome outcome = f.run(Json::object());
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.error_type == "transport");
  CHECK(f.cluster.asked.size() == 1);
}

TEST_CASE("time-outs are tried again after the wait period", "[retry]") {
  Fixture f;
  f.cluster.script = {kSlow, kSlow, kGood};
  const Outcome outcome = f.run({{"retries", 2}, {"retry-wait-period", 0.25}});
  CHECK(outcome.ok);
  CHECK(f.clock.sleeps().size() == 2);
  CHECK(f.clock.sleeps()[0] == std::chrono::milliseconds(250));
}

TEST_CASE("time-outs are not tried again where the track says so", "[retry]") {
  Fixture f;
  f.cluster.script = {kSlow, kGood};
  CHECK_FALSE(f.run({{"retries", 2}, {"retry-on-timeout", false}}).ok);
  CHECK(f.cluster.asked.size() == 1);
}

TEST_CASE("a refusal is final", "[retry]") {
  Fixture f;
  f.cluster.script = {kBad, kGood};
  const Outcome outcome = f.run({{"retry-until-success", true}});
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.status == 400);
  CHECK(outcome.weight.amount == 0);
}

TEST_CASE("a cluster that is not there yet is waited for only by retry-on-error", "[retry]") {
  Fixture f;
  f.cluster.script = {kBusy, kGood};
  SECTION("without") { CHECK_FALSE(f.run({{"retries", 3}}).ok); }
  SECTION("with") { CHECK(f.run({{"retries", 3}, {"retry-on-error", true}}).ok); }
  SECTION("until success") { CHECK(f.run({{"retry-until-success", true}}).ok); }
}

TEST_CASE("retry-until-success ends at retry-timeout and said why every five seconds", "[retry]") {
  Fixture f;
  f.cluster.otherwise = kBusy;
  const Outcome outcome = f.run({{"retry-until-success", true}, {"retry-timeout", 12}});
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.error == "no master");
  REQUIRE(f.notes.infos.size() == 2);
  CHECK(f.notes.infos[0] == "wait: still waiting after 5 s: no master");
}

TEST_CASE("a stopped step ends the retries", "[retry]") {
  Fixture f;
  f.cluster.answer = [&](const test::Asked&) {
    if (f.cluster.asked.size() == 3) f.stop.request(StopReason::user);
    return kBusy;
  };
  CHECK_FALSE(f.run({{"retry-until-success", true}}).ok);
  CHECK(f.cluster.asked.size() == 3);
}

TEST_CASE("retry parameters of the wrong type name operation and parameter", "[retry]") {
  Fixture f;
  CHECK_THROWS_WITH(f.run({{"retries", "many"}}),
                    "operation [t]: parameter [retries] must be a number, is \"many\"");
}

}  // namespace pacenote::retry_test
