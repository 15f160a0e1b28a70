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

/// Gives each request the call's options where it has none of its own, as the engine does.
class WithOptions final : public Transport {
 public:
  WithOptions(Transport& below, const RequestOptions& options) : below_(below), options_(options) {}
  Async<Response> send(const Request& request) override {
    Request merged = request;
    if (!merged.options.timeout) merged.options.timeout = options_.timeout;
    if (merged.options.opaque_id.empty()) merged.options.opaque_id = options_.opaque_id;
    Headers& headers = merged.options.headers;
    headers.insert(headers.end(), options_.headers.begin(), options_.headers.end());
    const Response response = co_await below_.send(merged);
    co_return response;
  }

 private:
  Transport& below_;
  const RequestOptions& options_;
};

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
    WithOptions with_options(cluster, call.options);
    Bench bench{with_options, clock, stop, notes, task};
    return test::run(runner->run(bench, call));
  }
};

}  // namespace pacenote::test
