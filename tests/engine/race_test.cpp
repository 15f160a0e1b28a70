// The whole engine on its own threads against the sandbox on loopback; also what the thread sanitizer
// watches.
#include "core/race.hpp"

#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "core/error.hpp"
#include "core/sandbox/server.hpp"
#include "tests/support/catch.hpp"

using namespace pacenote;
using namespace std::chrono_literals;

namespace {

/// Everything a race talks to, kept under a lock.
class Witness final : public SampleSink, public Notes, public ErrorLog, public StepObserver {
 public:
  void add(std::vector<Sample> more) override {
    const std::lock_guard lock(mutex_);
    samples.insert(samples.end(), more.begin(), more.end());
  }
  void info(const std::string&) override {}
  void warning(const std::string&) override {}
  void failed(std::string_view, const Outcome& outcome) override {
    const std::lock_guard lock(mutex_);
    errors.push_back(outcome.error);
  }
  void step_begins(const std::vector<RunningTask>&) override { ++steps; }
  void step_ends(const std::vector<RunningTask>&, const std::vector<TaskEnd>&) override {
    const std::lock_guard lock(mutex_);
    samples_at_step_end.push_back(samples.size());
  }
  std::size_t count(std::uint32_t task) const {
    std::size_t n = 0;
    for (const Sample& sample : samples) n += sample.task == TaskIndex{task} ? 1 : 0;
    return n;
  }
  std::vector<Sample> samples;
  std::vector<std::string> errors;
  std::vector<std::size_t> samples_at_step_end;
  int steps = 0;

 private:
  std::mutex mutex_;
};

Task search(const std::string& name, std::uint32_t clients, std::uint64_t iterations) {
  Task task;
  task.name = name;
  task.operation = {name, "search", {{"index", "a"}, {"body", Json::object()}}, ""};
  task.clients = clients;
  if (iterations != 0) task.limits.iterations = iterations;
  return task;
}

struct Rig {
  explicit Rig(std::vector<std::string> faults = {}) : server(options(std::move(faults))) {
    cluster.hosts = {Host{"127.0.0.1", server.port(), false, ""}};
    cluster.product = Product::elasticsearch;
    cluster.major = 8;
    Task create;
    create.name = "create";
    create.operation = {"create", "create-index", {{"index", "a"}, {"body", Json::object()}}, ""};
    challenge.schedule.push_back({{create}, std::nullopt});
  }
  static sandbox::Options options(std::vector<std::string> faults) {
    sandbox::Options options;
    options.faults = std::move(faults);
    return options;
  }
  RaceEnd run(RaceSettings settings = {}, const std::function<void(Race&)>& meanwhile = {}) {
    settings.driver_threads = 2;
    const RaceContext context{track, challenge, cluster, witness, names, witness, witness, witness};
    Race race(context, settings);
    if (!meanwhile) return race.run();
    std::thread other([&] { meanwhile(race); });
    const RaceEnd end = race.run();
    other.join();
    return end;
  }
  sandbox::Server server;
  Cluster cluster;
  Track track;
  Challenge challenge;
  Names names;
  Witness witness;
};

}  // namespace

TEST_CASE("every client of every task leaves its samples before the step ends", "[race]") {
  Rig rig;
  rig.challenge.schedule.push_back({{search("q", 7, 100)}, std::nullopt});
  rig.challenge.schedule.push_back({{search("r", 3, 10), search("s", 2, 20)}, std::nullopt});
  const RaceEnd end = rig.run();
  CHECK(end.reason == StopReason::none);
  CHECK(rig.witness.samples_at_step_end == std::vector<std::size_t>{1, 701, 771});
  std::set<ClientId> clients;
  for (const Sample& sample : rig.witness.samples) {
    CHECK(sample.ok);
    CHECK(sample.begin <= sample.sent);
    CHECK(sample.sent <= sample.first_byte);
    CHECK(sample.first_byte <= sample.received);
    CHECK(sample.received <= sample.end);
    clients.insert(sample.client);
  }
  CHECK(clients.size() == 7);
  for (const TaskState state : end.tasks) CHECK(state == TaskState::complete);
}

TEST_CASE("a task that completes its parallel ends the others without errors", "[race]") {
  Rig rig;
  Task leader = search("leader", 1, 50);
  leader.completes_parent = true;
  Task follower = search("follower", 4, 0);
  follower.limits.period = 60s;
  Task sleeper = search("sleeper", 1, 0);
  sleeper.limits.period = 60s;
  sleeper.target = TargetThroughput{0.05, "ops"};
  rig.challenge.schedule.push_back({{leader, follower, sleeper}, std::nullopt});
  const auto begin = std::chrono::steady_clock::now();
  const RaceEnd end = rig.run();
  CHECK(std::chrono::steady_clock::now() - begin < 20s);
  CHECK(end.reason == StopReason::none);
  CHECK(rig.witness.count(1) == 50);
  CHECK(rig.witness.count(2) > 0);
  CHECK(rig.witness.errors.empty());
}

TEST_CASE("a stopped race ends soon, though a request hangs, and keeps what it has", "[race]") {
  Rig rig({"path=/a/_search,nth=30,hang"});
  rig.challenge.schedule.push_back({{search("q", 4, 1'000'000)}, std::nullopt});
  rig.challenge.schedule.push_back({{search("never", 1, 1)}, std::nullopt});
  RaceSettings settings;
  settings.grace = 200ms;
  const RaceEnd end = rig.run(settings, [](Race& race) {
    std::this_thread::sleep_for(500ms);
    race.stop();
  });
  CHECK(end.reason == StopReason::user);
  CHECK(end.tasks == std::vector<TaskState>{TaskState::complete, TaskState::incomplete, TaskState::not_run});
  CHECK(rig.witness.count(1) > 30);
  CHECK(rig.witness.errors.empty());
}

TEST_CASE("a mistake in a later task is found before the first request", "[race]") {
  Rig rig;
  Task task = search("q", 1, 1);
  task.operation.type = "no-such-type";
  rig.challenge.schedule.push_back({{task}, std::nullopt});
  CHECK_THROWS_AS(rig.run(), UserError);
  CHECK(rig.witness.steps == 0);
}

TEST_CASE("a request that times out is one failed sample, and the next goes on", "[race]") {
  Rig rig({"path=/a/_search,nth=2,hang"});
  rig.cluster.options.timeout = 300ms;
  rig.challenge.schedule.push_back({{search("q", 1, 4)}, std::nullopt});
  const RaceEnd end = rig.run();
  CHECK(end.reason == StopReason::none);
  CHECK(rig.witness.count(1) == 4);
  CHECK(rig.witness.errors.size() == 1);
  CHECK(rig.witness.samples[2].status == 0);
}

TEST_CASE("a reset connection is retried only as the client options say", "[race]") {
  for (const std::uint32_t retries : {0u, 2u}) {
    Rig rig({"path=/a/_search,nth=1,status=503"});
    rig.cluster.options.max_retries = retries;
    rig.challenge.schedule.push_back({{search("q", 1, 2)}, std::nullopt});
    rig.run();
    REQUIRE(rig.witness.count(1) == 2);
    CHECK(rig.witness.samples[1].ok == (retries != 0));
    CHECK(rig.witness.samples[1].attempts == (retries == 0 ? 1 : 2));
  }
}

TEST_CASE("a server that is gone ends the race with the task's name", "[race]") {
  Rig rig;
  rig.challenge.schedule.clear();
  rig.challenge.schedule.push_back({{search("q", 2, 5)}, std::nullopt});
  rig.cluster.hosts[0].port = 1;
  const RaceEnd end = rig.run();
  CHECK(end.reason == StopReason::error);
  CHECK(end.fatal.find("[q]") != std::string::npos);
}
