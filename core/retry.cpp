#include "core/retry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/assertion.hpp"
#include "core/operations/fields.hpp"

namespace pacenote {
namespace {

constexpr Duration kSayEvery = std::chrono::seconds(5);

struct Policy {
  std::uint64_t retries = 0;
  bool until_success = false, on_timeout = true, on_error = false;
  Duration wait = std::chrono::milliseconds(500);
  std::optional<Duration> patience;
};

Policy policy_of(const Fields& fields) {
  Policy out;
  out.retries = fields.count("retries").value_or(0);
  out.until_success = fields.flag("retry-until-success").value_or(false);
  out.on_timeout = fields.flag("retry-on-timeout").value_or(true);
  out.on_error = out.until_success || fields.flag("retry-on-error").value_or(false);
  out.wait = fields.seconds("retry-wait-period").value_or(out.wait);
  out.patience = fields.seconds("retry-timeout");
  return out;
}

/// A time-out and HTTP 408 by retry-on-timeout; an unmet wish, and an engine that is busy or not there yet,
/// by retry-on-error (Rally's client repeats the latter below the runner); any other refusal stays one.
bool worth_another(const Outcome& outcome, const Policy& policy) {
  if (outcome.ok || outcome.fatal) return false;
  if (outcome.error_type == "transport" || outcome.status == 408) return policy.on_timeout;
  if (outcome.error_type != "api") return policy.on_error;
  const bool busy = outcome.status == 429 || (outcome.status >= 502 && outcome.status <= 504);
  return busy && policy.on_error;
}

class Retrying final : public Runner {
 public:
  Retrying(std::unique_ptr<Runner> inner, std::string operation)
      : inner_(std::move(inner)), operation_(std::move(operation)) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Policy policy = policy_of(Fields(*call.params, operation_));
    Waiting waiting(bench.clock);
    for (std::uint64_t attempt = 0;; ++attempt) {
      Outcome outcome = co_await inner_->run(bench, call);
      const bool last = policy.until_success
                            ? policy.patience && waiting.elapsed() + policy.wait > *policy.patience
                            : attempt >= policy.retries;
      if (last || !worth_another(outcome, policy) || bench.stop.requested()) co_return outcome;
      waiting.say(bench, outcome.error);
      const Instant next = bench.clock.now() + policy.wait;
      co_await bench.clock.sleep_until(next);
      if (bench.stop.requested()) co_return outcome;
    }
  }
  std::optional<double> progress() const override { return inner_->progress(); }

 private:
  std::unique_ptr<Runner> inner_;
  std::string operation_;
};

}  // namespace

void Waiting::say(Bench& bench, std::string_view why) {
  const Instant now = clock_.now();
  if (now - said_ < kSayEvery) return;
  said_ = now;
  bench.notes.info(fmt::format("{}: still waiting after {:.0f} s: {}", bench.task, seconds(elapsed()), why));
}

std::unique_ptr<Runner> retrying(std::unique_ptr<Runner> inner, const Operation& operation) {
  return std::make_unique<Retrying>(std::move(inner), operation.name);
}

std::unique_ptr<Runner> make_runner(const Operation& operation) {
  const auto& type = Registry<OperationType>::get("operation type", operation.type);
  auto runner = type.runner(operation);
  if (type.retried) runner = retrying(std::move(runner), operation);
  return asserting(std::move(runner), operation);
}

}  // namespace pacenote
