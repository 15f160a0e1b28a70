// Waits and does nothing.
#include "core/operations/fields.hpp"
#include "core/operations/source.hpp"
#include "core/runner.hpp"

namespace pacenote {
namespace {

Duration duration_of(const Fields& params) {
  params.mandatory("duration");
  return *params.seconds("duration");
}

class Sleep final : public Runner {
 public:
  explicit Sleep(const Operation& operation) : operation_(operation.name) {}
  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Instant end = bench.clock.now() + duration_of(Fields(*call.params, operation_));
    co_await bench.clock.sleep_until(end);
    co_return Outcome();
  }

 private:
  std::string operation_;
};

std::unique_ptr<Runner> sleep_runner(const Operation& operation) {
  return std::make_unique<Sleep>(operation);
}

std::unique_ptr<ParamSource> sleep_source(const Operation& operation, const Track& track, Share share) {
  duration_of(Fields(operation.params, operation.name));
  return constant_params(operation, track, share);
}

const Registered<OperationType> sleep_type{
    "sleep", {"Waits `duration` seconds.", true, false, sleep_runner, sleep_source, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
