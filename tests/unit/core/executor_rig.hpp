// One client and one task under a virtual clock, with a source and a runner that do as they are told.
#pragma once

#include "core/executor.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/notes.hpp"
#include "tests/support/run.hpp"
#include "tests/support/scripted_transport.hpp"

namespace pacenote::test {

struct KeptSamples final : SampleSink {
  void add(std::vector<Sample> samples) override { all.insert(all.end(), samples.begin(), samples.end()); }
  std::vector<Sample> all;
};

struct KeptErrors final : ErrorLog {
  void failed(std::string_view, const Outcome& outcome) override { texts.push_back(outcome.error); }
  std::vector<std::string> texts;
};

struct FakeSource final : ParamSource {
  Supply next(Call& call) override {
    if (limit && given >= *limit) return Supply::exhausted;
    clock->advance(takes);
    call.params = &params;
    ++given;
    return Supply::ready;
  }
  std::optional<double> progress() const override {
    if (!limit) return std::nullopt;
    return *limit == 0 ? 1.0 : static_cast<double>(given) / static_cast<double>(*limit);
  }
  test::FakeClock* clock = nullptr;
  Json params = Json::object();
  std::optional<std::uint64_t> limit;
  std::uint64_t given = 0;
  Duration takes{};
};

/// One GET per call; outcomes by the vector's lists, used in turn.
struct FakeRunner final : Runner {
  Async<Outcome> run(Bench& bench, const Call&) override {
    static_cast<test::FakeClock&>(bench.clock).advance(before);
    const Request request(Method::get, "/");
    const Response response = co_await bench.cluster.send(request);
    static_cast<test::FakeClock&>(bench.clock).advance(after);
    Outcome outcome;
    outcome.ok = response.ok() && !(failures.empty() ? false : failures[calls % failures.size()]);
    outcome.weight = outcome.ok ? Weight{weights[calls % weights.size()], unit} : Weight{0, "ops"};
    if (!outcome.ok) outcome.error_type = "transport", outcome.error = "refused";
    ++calls;
    if (stop_after && calls == *stop_after) stop->request(reason);
    co_return outcome;
  }
  std::optional<double> progress() const override {
    if (!done_after) return std::nullopt;
    return calls >= *done_after ? 1.0 : 0.5;
  }
  std::vector<double> weights{1};
  std::string unit = "ops";
  std::vector<bool> failures;
  Duration before{}, after{};
  std::size_t calls = 0;
  std::optional<std::size_t> done_after, stop_after;
  Stop* stop = nullptr;
  StopReason reason = StopReason::user;
};

struct Rig {
  Rig() {
    source.clock = &clock;
    runner.stop = &stop;
  }
  void run(const Task& task, Schedule& schedule, std::uint32_t client = 0) {
    Assignment assignment{&task, TaskIndex{0}, client, client, task.clients};
    Lane lane{clock, buffer, names, notes, errors, stop, on_error};
    Driver driver{ClientId{client}, cluster, source, runner, schedule, progress, cost};
    test::run(execute(lane, driver, assignment));
    buffer.flush();
  }
  test::FakeClock clock;
  test::ScriptedTransport cluster{clock};
  KeptSamples samples;
  SampleBuffer buffer{samples, 8};
  Names names;
  test::KeptNotes notes;
  KeptErrors errors;
  Stop stop;
  OnError on_error = OnError::continue_on_network;
  TaskProgress progress;
  TaskCost cost;
  FakeSource source;
  FakeRunner runner;
};

}  // namespace pacenote::test
