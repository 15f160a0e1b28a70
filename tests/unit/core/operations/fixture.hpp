// One operation against a scripted cluster.
#pragma once

#include <string>

#include "core/retry.hpp"
#include "core/runner.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/notes.hpp"
#include "tests/support/run.hpp"
#include "tests/support/scripted_transport.hpp"

namespace pacenote::test {

inline Reply answer_of(int status, std::string body, Duration takes = std::chrono::milliseconds(1)) {
  return Reply{status, std::move(body), "", Failure::none, takes};
}

struct OperationFixture {
  FakeClock clock;
  ScriptedTransport cluster{clock};
  Stop stop;
  KeptNotes notes;
  Track track;
  std::string task = "task";

  Outcome run(const Json& params) {
    const Operation operation{"op", params.at("operation-type"), params, ""};
    const auto& type = Registry<OperationType>::get("operation type", operation.type);
    const auto source = type.params(operation, track, Share());
    const auto runner = make_runner(operation);
    Call call;
    source->next(call);
    Bench bench{cluster, clock, stop, notes, task};
    return test::run(runner->run(bench, call));
  }
};

}  // namespace pacenote::test
